import { Effect } from "effect"
import { loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { commitTo, fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { CONNECTIONS, marketOf } from "./CommitmentContest.ts"
import type { FastLanePlan, FastLaneResult } from "./FastLaneLoad.ts"
import { committed, terms } from "./FastLaneRate.ts"
import type { LoadResult } from "./HttpLoad.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"
import { shown } from "./Table.ts"
import { inTurns, type Rounds, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

/** Commitments a second. */
const RATES = [10, 100, 500, 1_000, 2_000]
const QUICK_RATES = [100]

/** At ten a second a round has a hundred commitments, so that all but a hundredth of them is one. */
const CALM: Pick<Rounds, "count" | "millis"> = { count: 3, millis: 10_000 }

type Waited = Pick<LoadResult, "p50" | "p99" | "p999">

/** One way to commit, at a rate. */
interface Way {
  readonly name: string
  readonly commit: (rate: number, millis: number, round: number) => Effect.Effect<Waited>
}

const waysInto = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, say } = bench
  say("filling a market")
  const database = yield* postgres.create()
  const { orderIds, tokens } = yield* fill(postgres, database, marketOf(bench))
  const port = portOf((yield* startProgram(postgres, database)).url)
  const generator = yield* startLoadGenerator
  const fastLane = yield* startWorker<FastLanePlan, FastLaneResult>("FastLaneGenerator.ts")
  const common = { port, connections: CONNECTIONS, tokens }
  const calls = orderIds.map(commitTo)
  const ways: ReadonlyArray<Way> = [
    {
      name: "REST",
      commit: (rate, millis, round) => loaded(generator, { ...common, calls, rate, millis, seed: 1 + round })
    },
    {
      name: "/rpc",
      commit: (rate, millis, round) =>
        committed(fastLane, { ...common, batch: 1, orderIds, terms: terms(), rate, millis, seed: round * CONNECTIONS })
    }
  ]
  return ways
})

const rowsOf = (name: string, rate: number, results: ReadonlyArray<Waited>): ReadonlyArray<Row> => {
  const row = (what: string, of: (one: Waited) => number): Row => ({
    key: "t",
    what,
    unit: "ms",
    ours: spreadOf(results.map(of))
  })
  return [
    row(`one commitment over ${name}, ${shown(rate)} a second: half within`, ({ p50 }) => p50),
    row("  99 % within", ({ p99 }) => p99),
    row("  99.9 % within", ({ p999 }) => p999)
  ]
}

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const ways = yield* waysInto(bench)
  const usual = roundsOf(bench)
  const rounds = bench.quick ? usual : { ...usual, ...CALM }
  return yield* Effect.forEach(bench.quick ? QUICK_RATES : RATES, (rate) => {
    bench.say(`${shown(rate)} a second`)
    return Effect.map(
      inTurns(bench, rounds, ways, ({ commit }, millis, round) => commit(rate, millis, round)),
      (found) => ways.flatMap(({ name }, index) => rowsOf(name, rate, found[index] ?? []))
    )
  })
}, Effect.scoped)

/** How long one commitment takes over each way in, by how many come a second. */
export const commitmentLatency: Case = {
  key: "t",
  title: "latency of one commitment",
  run: (bench) => Effect.map(measure(bench), (rows) => rows.flat())
}
