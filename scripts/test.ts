/**
 * Runs the tests: `bun scripts/test.ts [--long] [--seed=N|--seed=any] [part of a path…]`.
 *
 * Without `--long`: every test file but `*.long.test.ts`. With it: those, and the engine's properties at 1,000 runs.
 * The order of the files, which run in parallel, and what properties draw follow from a seed, which is printed: that of the
 * committed tree unless told, so that two runs of one change try the same, and each change something else. A process loads
 * each module once for all of its files, which more than halves the run, but not in the long suite, where some look at
 * their memory. What lasts as long as it is told, and what only computes, runs beside the rest from the start. The
 * programs that tests start are bundled before.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, setPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { type LogLine, scan, SECRETS_FOLDER } from "./SecretScan.ts"
import { merged, readJUnit, summary, type TestReport } from "./TestReport.ts"

const MAX_WORKERS = 8

/**
 * Long tests whose length is set by a clock, not by work: they run in a process of their own from the start, and give way
 * to the others by this much.
 */
const TIMED: ReadonlySet<string> = new Set(["test/scripts/cluster/ClusterTrial.long.test.ts"])
const GIVES_WAY = 5

/**
 * Most code of a test runs too seldom for the last stage of the runtime's compiler: making it costs more time than it
 * saves. Memory that one test no longer needs is what the next one takes, so it is not given back in between. Not so in
 * the long suite, which runs what ships as it ships.
 */
const SHORT_RUNTIME = { BUN_JSC_useFTLJIT: "0", MIMALLOC_PURGE_DELAY: "-1" } as const

/** Milliseconds that one test may take unless it says more itself: long ones also wait for browsers and many processes. */
const TEST_LIMIT = 60_000
const LONG_TEST_LIMIT = 180_000
const SLOW_FILES = 12
const SHOWN_LEAKS = 10

const root = join(import.meta.dir, "..")
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"))
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const long = options.includes("--long")
const told = options.find((option) => option.startsWith("--seed="))?.slice("--seed=".length)
const unknown = options.filter((option) => option !== "--long" && !/^--seed=(any|\d{1,10})$/.test(option))
if (unknown.length > 0) {
  console.error(`unknown option ${unknown.join(", ")}; known are --long, --seed=N and --seed=any`)
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
const secrets = join(folder, "secrets")
mkdirSync(secrets)
/** Whether a file may start servers in its process. No other uses the run's PostgreSQL, nor most of the platform. */
const mayServe = (file: string) => /^test\/(src|packages)\//.test(file)
const needsPostgres = files.some(mayServe)
const needsNode = files.some((file) => /^test\/(packages|scripts)\//.test(file))
const { TEST_PROGRAMS } = await import("../test/lib/Programs.ts")
const { PROPERTY_SEED } = await import("../test/lib/PropertySeed.ts")
const [postgres, programs] = await Promise.all([
  needsPostgres ? import("../test/lib/TestPostgres.ts").then((module) => module.startTestPostgres()) : undefined,
  needsPostgres ? import("./launch/Launch.ts").then((module) => module.currentBundle()) : undefined,
  needsNode ? import("../test/lib/NodeRuntime.ts").then((module) => module.provideNode()) : undefined
])

const ofTree = (): string | undefined => {
  const tree = Bun.spawnSync(["git", "rev-parse", "--verify", "HEAD^{tree}"], { cwd: root, stderr: "ignore" })
  return tree.success ? String(Number.parseInt(tree.stdout.toString().slice(0, 8), 16)) : undefined
}
const seed = (told === "any" ? undefined : (told ?? ofTree())) ?? String(crypto.getRandomValues(new Uint32Array(1))[0])
console.log(`seed ${seed}`)

/** Some of the files, in so many processes. */
interface Part {
  readonly name: string
  readonly files: ReadonlyArray<string>
  readonly workers: number
  readonly givesWay?: number
}

const cores = Math.min(availableParallelism(), MAX_WORKERS)
const isTimed = (file: string) => TIMED.has(file)

/**
 * Each process compiles again what its files run, so files that run the same share one: those with servers have a process
 * for each core. They wait for PostgreSQL, for programs that they start and for time to pass, and meanwhile half as many
 * processes compute. In the long suite what is timed fills that time. The first part's words are shown at once, those of
 * the others when they have ended.
 */
const parts: ReadonlyArray<Part> = (
  long
    ? [
        { name: "all", files: files.filter((file) => !isTimed(file)), workers: cores },
        { name: "timed", files: files.filter(isTimed), workers: 1, givesWay: GIVES_WAY }
      ]
    : [
        { name: "serving", files: files.filter(mayServe), workers: cores },
        { name: "computing", files: files.filter((file) => !mayServe(file)), workers: Math.ceil(cores / 2) }
      ]
).filter((part) => part.files.length > 0)

const readReport = (junit: string, part: Part): TestReport => {
  try {
    return readJUnit(readFileSync(junit, "utf8"), part.files)
  } catch (cause) {
    console.error(`the run left no report: ${String(cause)}`)
    return { passed: 0, failed: 1, skipped: 0, silent: [], broken: [], files: [] }
  }
}

const run = async (part: Part) => {
  const junit = join(folder, `${part.name}.xml`)
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      `--parallel=${part.workers}`,
      ...(long ? [] : ["--no-isolate"]),
      "--no-orphans",
      `--timeout=${long ? LONG_TEST_LIMIT : TEST_LIMIT}`,
      "--only-failures",
      "--randomize",
      `--seed=${seed}`,
      "--reporter=junit",
      `--reporter-outfile=${junit}`,
      ...part.files.map((file) => `./${file}`)
    ],
    {
      cwd: root,
      env: {
        ...(long ? {} : SHORT_RUNTIME),
        ...process.env,
        [SECRETS_FOLDER]: secrets,
        [PROPERTY_SEED]: seed,
        ...(long ? { TEST_LONG: "1" } : {}),
        ...(postgres === undefined ? {} : { TEST_POSTGRES: postgres.path }),
        ...(programs === undefined ? {} : { [TEST_PROGRAMS]: programs })
      },
      stdio: part === parts[0] ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"]
    }
  )
  if (part.givesWay !== undefined) setPriority(child.pid, part.givesWay)
  const said = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  const exitCode = await child.exited
  for (const text of said) if (text !== "") console.error(text)
  return { exitCode, seconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6, report: readReport(junit, part) }
}

const runs = await Promise.all(parts.map(run))
const seconds = runs.reduce((sum, one) => sum + one.seconds, 0)
if (postgres !== undefined) {
  const lines = readFileSync(postgres.log, "utf8").split("\n")
  const asLogged = lines.map((text) => JSON.stringify({ from: "PostgreSQL", text } satisfies LogLine))
  writeFileSync(join(secrets, "log-postgres.jsonl"), asLogged.join("\n"))
}
await postgres?.stop()

const report = merged(runs.map((one) => one.report))
const search = scan(secrets)
rmSync(folder, { recursive: true, force: true })

const broken = report.failed === 0 && runs.some(({ exitCode }) => exitCode !== 0) ? 1 : report.failed
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
for (const test of report.broken) console.log(`failed: ${test}`)
for (const file of report.silent) console.log(`no test reported: ${file}`)
for (const { excerpt, from, what } of search.leaks.slice(0, SHOWN_LEAKS))
  console.log(`${what} in a log (${from}): ${excerpt}`)
if (search.secrets > 0) {
  console.log(`${search.leaks.length} of ${search.secrets} secrets were logged, in ${search.lines} lines`)
}
if (report.skipped > 0) console.log(`${report.skipped} skipped, counted as failed`)
if (!ok) console.log(`repeat this run with --seed=${seed}`)
console.log(summary({ passed: report.passed, failed }))
process.exit(ok ? 0 : 1)
