/**
 * Checks everything but behaviour: `bun scripts/check.ts`. Every step runs, as many at once as there are cores, the longest
 * first; the exit code tells whether all passed.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"

interface Outcome {
  readonly ok: boolean
  readonly output: string
}

interface Step {
  readonly name: string
  readonly fix: string
  readonly run: () => Promise<Outcome>
}

const root = join(import.meta.dir, "..")
const INSTALL = "run `npm install`"
const CORES = Math.max(1, availableParallelism())
const STEP_TIMEOUT_MS = 300_000

const run = async (command: string, ...args: ReadonlyArray<string>): Promise<Outcome> => {
  const child = Bun.spawn([command, ...args], {
    cwd: root,
    // The compiler is a Go program, which spends a third of its time on garbage otherwise, for a tenth less memory.
    env: { GOGC: "200", ...process.env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: STEP_TIMEOUT_MS
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { ok: (await child.exited) === 0, output: `${stdout}${stderr}`.trim() }
}

const tool = async (name: string, ...args: ReadonlyArray<string>): Promise<Outcome> => {
  const path = join(root, "node_modules", ".bin", name)
  return existsSync(path) ? run(path, ...args) : { ok: false, output: `${name} is not installed: ${INSTALL}` }
}

const bun = (...args: ReadonlyArray<string>): Promise<Outcome> => run(process.execPath, ...args)

/** More than its own default help the compiler no further. */
const MAX_CHECKERS = 4

/**
 * Checks the types of a project. What a run found is kept, so that the next one looks at what has changed since. Each of
 * the compiler's checkers works out for itself what several files need, so more of them than cores take longer.
 */
const types = (project: string, name: string, ...options: ReadonlyArray<string>): Promise<Outcome> =>
  tool(
    "tsc",
    "-p",
    project,
    ...options,
    "--checkers",
    String(Math.min(CORES, MAX_CHECKERS)),
    "--incremental",
    "--tsBuildInfoFile",
    join(root, "reports", `${name}.tsbuildinfo`)
  )

const FLOATING = `import { Effect } from "effect"\nexport const a = () => {\n  Effect.log("never run")\n}\n`

/** The compiler must find a planted mistake that only the Effect diagnostics see, or its silence means nothing. */
const diagnosticsWork = async (): Promise<Outcome> => {
  const version = await tool("tsc", "--version")
  if (!version.ok || !version.output.includes("effect")) {
    return { ok: false, output: `tsc has no Effect diagnostics (${version.output}): ${INSTALL}` }
  }
  mkdirSync(join(root, "reports"), { recursive: true })
  const folder = mkdtempSync(join(root, "reports", "probe-"))
  try {
    writeFileSync(join(folder, "Floating.ts"), FLOATING)
    writeFileSync(join(folder, "tsconfig.json"), `{ "extends": "../../tsconfig.json", "include": ["."] }`)
    const probe = await tool("tsc", "-p", folder)
    return !probe.ok && probe.output.includes("floatingEffect")
      ? { ok: true, output: "" }
      : { ok: false, output: `a floating Effect went unseen: ${probe.output || "no diagnostics"}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const steps: ReadonlyArray<Step> = [
  { name: "types", fix: "correct the types named above", run: () => types(".", "types") },
  {
    name: "rules of the house",
    fix: "each line above names the file; the rules are in test/tidy",
    run: () => bun("scripts/test.ts", "test/tidy/")
  },
  { name: "diagnostics", fix: INSTALL, run: diagnosticsWork },
  {
    name: "types of the engine",
    fix: "the engine knows no platform: inject what it needs",
    run: () => types("engine", "engine")
  },
  {
    name: "types of the client",
    fix: "the client knows no platform: it runs on every one",
    run: () => types("packages/client", "client", "--noEmit")
  },
  {
    name: "lint",
    fix: "run `npx oxlint --fix`, then correct the rest",
    run: () => tool("oxlint", "--deny-warnings")
  },
  { name: "format", fix: "run `npm run format`", run: () => tool("oxfmt", "--check") },
  {
    name: "lock file",
    fix: "run `npx bun install --lockfile-only` and commit bun.lock",
    run: () => bun("install", "--frozen-lockfile", "--dry-run")
  }
]

const failed: Array<Step> = []

const check = async (step: Step): Promise<void> => {
  const begun = performance.now()
  const { ok, output } = await step.run()
  const seconds = ((performance.now() - begun) / 1000).toFixed(2)
  if (!ok) console.log(output)
  console.log(`${ok ? "ok    " : "FAILED"} ${step.name} (${seconds} s)${ok ? "" : `: ${step.fix}`}`)
  if (!ok) failed.push(step)
}

const left = [...steps]
const lane = async (): Promise<void> => {
  for (let step = left.shift(); step !== undefined; step = left.shift()) await check(step)
}
await Promise.all(Array.from({ length: CORES }, lane))
console.log(failed.length === 0 ? "all checks passed" : `${failed.length} of ${steps.length} checks failed`)
process.exit(failed.length === 0 ? 0 : 1)
