import { Effect } from "effect"
import type { Case } from "./Case.ts"
import { spreadOf } from "./Sample.ts"
import type { SimulationPlan } from "./SimulationRun.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const ARENA = { orders: 200, traders: 50 }
const SMALL = { orders: 4, traders: 8 }

/** The first seed of a round, so far from the others that no simulation is repeated. */
const firstSeed = (round: number): number => 1_000 * round

/** How many events a second a simulation records, with and without its auditor. */
export const simulatedEvents: Case = {
  key: "f",
  title: "simulation",
  run: Effect.fnUntraced(function* (bench) {
    const worker = yield* startWorker<SimulationPlan, number>("SimulationRun.ts")
    const size = bench.quick ? SMALL : ARENA
    const [judged = [], alone = []] = yield* inTurns(bench, roundsOf(bench), [true, false], (audit, millis, round) =>
      worker.ask({ ...size, seed: firstSeed(round), millis, audit })
    )
    return [
      {
        key: "f",
        what: `simulated events of ${size.orders} orders and ${size.traders} traders, every step judged`,
        unit: "/s",
        ours: spreadOf(judged),
        target: { bound: 20_000, at: "least", goal: 100_000 }
      },
      { key: "f", what: "  without the auditor", unit: "/s", ours: spreadOf(alone) }
    ]
  })
}
