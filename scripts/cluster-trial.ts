/**
 * Makes faults on three nodes under load, and judges what every client saw: `bun scripts/cluster-trial.ts [--minutes=30]
 * [--seed=N]`. Prints each fault, the violations, and the seconds from each kind of fault to the next acknowledgement.
 * The seed gives the same faults in the same order. Where a rule is broken, the whole history is written to a file.
 * `--only="SIGKILL to the writer"` makes faults of that kind alone; several kinds are separated by commas.
 * `--hand-overs=20` makes no faults: so often a new process starts beside the one that serves, and takes over from it. With
 * `--earlier=FOLDER` the first one is of the earlier version in that folder, whose dependencies are installed, and with
 * `--later=FOLDER` all that take over are of the later one. `--keep=FILE` writes the whole history and what each node logged, whether or
 * not a rule is broken.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { runTrial, trialText } from "./cluster/ClusterTrial.ts"
import { type FaultKind, FAULTS } from "./cluster/FaultPlan.ts"
import { recoveries, recoveryTable } from "./cluster/RecoveryTimes.ts"

const MINUTE = 60_000

/** Violations that are printed. */
const SHOWN = 50

const text = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3)

const given = (name: string): number | undefined => {
  const value = text(name)
  return value === undefined ? undefined : Number(value)
}

const folder = mkdtempSync(join(tmpdir(), "emporion-trial-"))
const seed = given("seed") ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
const handOvers = given("hand-overs")
const [earlier, later] = [text("earlier"), text("later")]

const isFault = (name: string): name is FaultKind => FAULTS.some((kind) => kind === name)

const keep = text("keep")
const only = text("only")
  ?.split(",")
  .map((name) => name.trim())
const unknown = only?.find((name) => !isFault(name))
if (unknown !== undefined) {
  console.error(`There is no fault "${unknown}". There are: ${FAULTS.join(", ")}.`)
  process.exit(2)
}
console.log(`seed ${seed}`)
try {
  const report = await runTrial({
    folder,
    millis: (given("minutes") ?? 30) * MINUTE,
    seed,
    log: console.log,
    ...(only !== undefined && { only: only.filter(isFault) }),
    ...(handOvers !== undefined && { handOvers }),
    ...(earlier !== undefined && { earlier: resolve(earlier) }),
    ...(later !== undefined && { later: resolve(later) })
  })
  for (const { rule, what } of report.violations.slice(0, SHOWN)) console.log(`BROKEN ${rule}: ${what}`)
  console.log(trialText(report))
  if (report.faults.length > 0) console.log(recoveryTable(recoveries(report.faults, report.history.operations)))
  const written = JSON.stringify({ ...report, logs: [...report.logs] })
  if (keep !== undefined) writeFileSync(keep, written)
  if (report.violations.length > 0) {
    const reports = join(import.meta.dir, "..", "reports")
    const file = join(reports, `cluster-trial-${seed}.json`)
    mkdirSync(reports, { recursive: true })
    writeFileSync(file, written)
    console.log(`seed ${seed}, everything in ${file}`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
