import { Effect } from "effect"
import { availableParallelism } from "node:os"
import { SIMULATION_MEMORY } from "../launch/Memory.ts"
import type { Bench, Case } from "./Case.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"
import type { SimulationPlan } from "./SimulationRun.ts"
import type { SweepPlan } from "./SweepRun.ts"
import { inTurns, QUICK, type Rounds, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const ARENA = { orders: 200, traders: 50 }
const SMALL = { orders: 4, traders: 8 }

/** The first seed of a round, so far from the others that no simulation is repeated. */
const firstSeed = (round: number): number => 1_000 * round

const TARGET = { bound: 20_000, at: "least", goal: 60_000 } as const

/** One long round: the shorter it is, the more the wait for the last worker weighs. */
const SWEEP: Rounds = { count: 1, millis: 6_000, warmUp: 1_000 }

/** Seeds that run side by side, as `npm run sim -- --seeds` does. */
const sweptOver = Effect.fnUntraced(function* (bench: Bench, size: Pick<SweepPlan, "orders" | "traders">) {
  const sweep = yield* startWorker<SweepPlan, number>("SweepRun.ts", { memory: SIMULATION_MEMORY })
  const rounds = bench.quick ? QUICK : SWEEP
  const [rates = []] = yield* inTurns(bench, rounds, [size], (plan, millis, round) =>
    sweep.ask({ ...plan, seed: firstSeed(round), millis })
  )
  const cores = availableParallelism()
  const what = `  every step judged, seeds side by side on ${cores === 1 ? "the one core" : `all ${cores} cores`}`
  const row: Row = { key: "f", what, unit: "/s", ours: spreadOf(rates), target: TARGET }
  return row
})

/** How many events a second a simulation records, with and without its auditor, and many of them side by side. */
export const simulatedEvents: Case = {
  key: "f",
  title: "simulation",
  run: Effect.fnUntraced(function* (bench) {
    const worker = yield* startWorker<SimulationPlan, number>("SimulationRun.ts", { memory: SIMULATION_MEMORY })
    const size = bench.quick ? SMALL : ARENA
    const [judged = [], alone = []] = yield* inTurns(bench, roundsOf(bench), [true, false], (audit, millis, round) =>
      worker.ask({ ...size, seed: firstSeed(round), millis, audit })
    )
    return [
      {
        key: "f",
        what: `simulated events of ${size.orders} orders and ${size.traders} traders, every step judged, one seed at a time`,
        unit: "/s",
        ours: spreadOf(judged),
        target: TARGET
      },
      { key: "f", what: "  without the auditor, one seed at a time", unit: "/s", ours: spreadOf(alone) },
      yield* sweptOver(bench, size)
    ]
  })
}
