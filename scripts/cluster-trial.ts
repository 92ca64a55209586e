/**
 * Makes faults on three nodes under load, and judges what every client saw: `bun scripts/cluster-trial.ts [--minutes=30]
 * [--seed=N]`. Prints each fault, the violations, and the seconds from each kind of fault to the next acknowledgement.
 * The seed gives the same faults in the same order. Where a rule is broken, the whole history is written to a file.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTrial, trialText } from "./cluster/ClusterTrial.ts"
import { recoveries, recoveryTable } from "./cluster/RecoveryTimes.ts"

const MINUTE = 60_000

/** Violations that are printed. */
const SHOWN = 50

const option = (name: string, otherwise: number): number => {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}

const folder = mkdtempSync(join(tmpdir(), "emporion-trial-"))
const seed = option("seed", crypto.getRandomValues(new Uint32Array(1))[0] ?? 1)
console.log(`seed ${seed}`)
try {
  const report = await runTrial({ folder, millis: option("minutes", 30) * MINUTE, seed, log: console.log })
  for (const { rule, what } of report.violations.slice(0, SHOWN)) console.log(`BROKEN ${rule}: ${what}`)
  console.log(trialText(report))
  console.log(recoveryTable(recoveries(report.faults, report.history.operations)))
  if (report.violations.length > 0) {
    const reports = join(import.meta.dir, "..", "reports")
    const file = join(reports, `cluster-trial-${seed}.json`)
    mkdirSync(reports, { recursive: true })
    writeFileSync(file, JSON.stringify(report))
    console.log(`seed ${seed}, everything in ${file}`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
