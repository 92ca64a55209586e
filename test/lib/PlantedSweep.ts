/** A sweep over a program with a fault of its own: `bun test/lib/PlantedSweep.ts <seeds> [--json] [--interrupt]`. */
import { runSweep } from "../../scripts/sweep/SimulationSweep.ts"

const code = runSweep(
  {
    spec: { seed: 1, orders: 4, traders: 4, faults: false },
    seeds: Number(process.argv[2]),
    jobs: 2,
    json: process.argv.includes("--json")
  },
  new URL("PlantedSeedWorker.ts", import.meta.url)
)
if (process.argv.includes("--interrupt")) process.kill(process.pid, "SIGINT")
process.exitCode = await code
