/** A sweep over a program with a fault of its own: `bun test/lib/PlantedSweep.ts <seeds> [--json] [--interrupt]`. */
import { runSweep } from "../../scripts/sweep/SimulationSweep.ts"

/** Sweeps over so many seeds in this process. */
export const plantedSweep = (seeds: number, json: boolean): Promise<number> =>
  runSweep(
    { spec: { seed: 1, orders: 4, traders: 4, faults: false }, seeds, jobs: 2, json },
    new URL("PlantedSeedWorker.ts", import.meta.url)
  )

if (import.meta.main) {
  const code = plantedSweep(Number(process.argv[2]), process.argv.includes("--json"))
  if (process.argv.includes("--interrupt")) process.kill(process.pid, "SIGINT")
  process.exitCode = await code
}
