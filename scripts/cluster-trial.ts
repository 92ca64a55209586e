/**
 * Makes faults on three nodes under load, and checks what every client saw: `bun scripts/cluster-trial.ts [--minutes=30]
 * [--seed=N]`. Prints each fault with the milliseconds until the next acknowledgement.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gapsText, runTrial } from "../test/lib/ClusterTrial.ts"

const MINUTE = 60_000

const option = (name: string, otherwise: number): number => {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}

const folder = mkdtempSync(join(tmpdir(), "emporion-trial-"))
const seed = option("seed", crypto.getRandomValues(new Uint32Array(1))[0] ?? 1)
console.log(`seed ${seed}`)
try {
  const report = await runTrial({ folder, millis: option("minutes", 30) * MINUTE, seed, log: console.log })
  console.log(
    `${report.faults} faults, ${report.requests} requests, ${report.unknown} without an answer, ${report.events} events told alike: 0 violations`
  )
  console.log(gapsText(report))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
