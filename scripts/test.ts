/**
 * Runs the tests: `bun scripts/test.ts [--long] [--seed=N] [part of a path…]`.
 *
 * Without `--long`: every test file but `*.long.test.ts`. With it: those, and the engine's properties at 1,000 runs.
 * Files run in parallel, in random order; the seed is printed. A process loads each module once for all of its files,
 * which more than halves the run, but not in the long suite, where some look at their memory. The programs that tests
 * start are bundled before.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { type LogLine, scan, SECRETS_FOLDER } from "./SecretScan.ts"
import { readJUnit, summary, type TestReport } from "./TestReport.ts"

const MAX_WORKERS = 8

/**
 * Processes beyond one a core, without `--long`: files wait for PostgreSQL, for programs that they start and for time to
 * pass, and a core would wait with them.
 */
const WORKERS_BESIDE_CORES = 1

/**
 * Most code of a test runs too seldom for the last stage of the runtime's compiler: making it costs more time than it
 * saves. Not so in the long suite, which runs what ships as it ships.
 */
const SHORT_RUNTIME = { BUN_JSC_useFTLJIT: "0" } as const

/** Milliseconds that one test may take unless it says more itself: long ones also wait for browsers and many processes. */
const TEST_LIMIT = 60_000
const LONG_TEST_LIMIT = 180_000
const SLOW_FILES = 12
const SHOWN_LEAKS = 10

const root = join(import.meta.dir, "..")
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"))
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const long = options.includes("--long")
const seed = options.find((option) => option.startsWith("--seed="))?.slice("--seed=".length)
const unknown = options.filter((option) => option !== "--long" && !option.startsWith("--seed="))
if (unknown.length > 0) {
  console.error(`unknown option ${unknown.join(", ")}; known are --long and --seed=N`)
  process.exit(2)
}

const isLong = (file: string) => file.endsWith(".long.test.ts")
const belongs = (file: string) => (long ? isLong(file) || file.startsWith("test/engine/") : !isLong(file))
const files = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync(root)]
  .filter(belongs)
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .toSorted()
if (files.length === 0) {
  console.error("no test file matches")
  console.log(summary({ passed: 0, failed: 0 }))
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), "emporion-test-"))
const junit = join(folder, "junit.xml")
const secrets = join(folder, "secrets")
mkdirSync(secrets)
const needsPostgres = files.some((file) => /^test\/(src|packages)\//.test(file))
const needsNode = files.some((file) => /^test\/(packages|scripts)\//.test(file))
const { TEST_PROGRAMS } = await import("../test/lib/Programs.ts")
const [postgres, programs] = await Promise.all([
  needsPostgres ? import("../test/lib/TestPostgres.ts").then((module) => module.startTestPostgres()) : undefined,
  needsPostgres ? import("./launch/Launch.ts").then((module) => module.currentBundle()) : undefined,
  needsNode ? import("../test/lib/NodeRuntime.ts").then((module) => module.provideNode()) : undefined
])
const usedSeed = seed ?? String(crypto.getRandomValues(new Uint32Array(1))[0])
const child = Bun.spawn(
  [
    process.execPath,
    "test",
    `--parallel=${Math.min(availableParallelism() + (long ? 0 : WORKERS_BESIDE_CORES), MAX_WORKERS)}`,
    ...(long ? [] : ["--no-isolate"]),
    "--no-orphans",
    `--timeout=${long ? LONG_TEST_LIMIT : TEST_LIMIT}`,
    "--only-failures",
    "--randomize",
    `--seed=${usedSeed}`,
    "--reporter=junit",
    `--reporter-outfile=${junit}`,
    ...files.map((file) => `./${file}`)
  ],
  {
    cwd: root,
    env: {
      ...(long ? {} : SHORT_RUNTIME),
      ...process.env,
      [SECRETS_FOLDER]: secrets,
      ...(long ? { TEST_LONG: "1" } : {}),
      ...(postgres === undefined ? {} : { TEST_POSTGRES: postgres.path }),
      ...(programs === undefined ? {} : { [TEST_PROGRAMS]: programs })
    },
    stdio: ["ignore", "inherit", "inherit"]
  }
)
const exitCode = await child.exited
const seconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
if (postgres !== undefined) {
  const lines = readFileSync(postgres.log, "utf8").split("\n")
  const asLogged = lines.map((text) => JSON.stringify({ from: "PostgreSQL", text } satisfies LogLine))
  writeFileSync(join(secrets, "log-postgres.jsonl"), asLogged.join("\n"))
}
await postgres?.stop()

const readReport = (): TestReport => {
  try {
    return readJUnit(readFileSync(junit, "utf8"), files)
  } catch (cause) {
    console.error(`the run left no report: ${String(cause)}`)
    return { passed: 0, failed: 1, skipped: 0, silent: [], files: [] }
  }
}
const report = readReport()
const search = scan(secrets)
rmSync(folder, { recursive: true, force: true })

const broken = report.failed === 0 && exitCode !== 0 ? 1 : report.failed
const failed = broken + (search.leaks.length > 0 ? 1 : 0)
const ok = failed === 0 && report.passed > 0
console.log("")
console.log(`processor time: ${seconds.toFixed(0)} s, without PostgreSQL`)
console.log(
  `slowest files: ${report.files
    .slice(0, SLOW_FILES)
    .map(({ file, seconds }) => `${file} ${seconds.toFixed(2)} s`)
    .join(", ")}`
)
for (const file of report.silent) console.log(`no test reported: ${file}`)
for (const { excerpt, from, what } of search.leaks.slice(0, SHOWN_LEAKS))
  console.log(`${what} in a log (${from}): ${excerpt}`)
if (search.secrets > 0) {
  console.log(`${search.leaks.length} of ${search.secrets} secrets were logged, in ${search.lines} lines`)
}
if (report.skipped > 0) console.log(`${report.skipped} skipped, counted as failed`)
if (!ok) console.log(`repeat this order with --seed=${usedSeed}`)
console.log(summary({ passed: report.passed, failed }))
process.exit(ok ? 0 : 1)
