import { Effect } from "effect"
import { loaded, startLoadGenerator } from "./BenchServer.ts"
import { fill, read, variablesOf } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { processorMicros } from "./ProcessorTime.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import type { StartUsage, TurnUsage } from "./UsageServer.ts"
import { startWorker } from "./Worker.ts"

const CONNECTIONS = 64

/** Each trader is a company, and so a cell of its own. */
const MARKET = { traders: 256, orders: 64, commitments: 6 }

/** A load's result with what one of its requests took, in microseconds of processor time. */
interface Cost extends LoadResult {
  readonly micros: number
}

const run = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, say } = bench
  say("filling a market")
  const database = yield* postgres.create()
  const world = yield* fill(postgres, database, MARKET)
  const program = yield* startWorker<StartUsage | TurnUsage, number>("UsageServer.ts")
  const port = yield* program.ask({ kind: "start", variables: variablesOf(postgres, database) })
  const generator = yield* startLoadGenerator
  const calls = world.orderIds.map(read)
  const [ours = [], peer = []] = yield* inTurns(bench, roundsOf(bench), [true, false], (isCounting, millis, round) =>
    Effect.gen(function* () {
      yield* program.ask({ kind: "turn", isCounting })
      const before = processorMicros([program.pid]) ?? Number.NaN
      const plan = { port, connections: CONNECTIONS, millis, calls, tokens: world.tokens, seed: 1 + round }
      const result = yield* loaded(generator, plan)
      const used = (processorMicros([program.pid]) ?? Number.NaN) - before
      return { ...result, micros: used / result.answered } satisfies Cost
    })
  )
  return { ours, peer }
})

const rate = ({ perSecond }: Cost): number => perSecond
const micros = (one: Cost): number => one.micros

/** Authenticated reads of one server with usage counted for 256 companies and written every ten seconds, and without. */
export const analyticsCost: Case = {
  key: "k",
  title: "usage analytics",
  run: (bench) =>
    Effect.map(run(bench), ({ ours, peer }) => [
      {
        key: "k",
        what: "reads of an order by 256 companies with usage counted, 64 connections",
        unit: "/s",
        ours: spreadOf(ours.map(rate)),
        peer: spreadOf(peer.map(rate)),
        peerName: "not counted",
        ratio: ratioOf(ours.map(rate), peer.map(rate)),
        target: { bound: 0.95, at: "least", goal: 0.98 }
      },
      latencyRow("k", ours, peer),
      {
        key: "k",
        what: "  processor time of one in the server",
        unit: "µs",
        ours: spreadOf(ours.map(micros)),
        peer: spreadOf(peer.map(micros)),
        peerName: "not counted",
        ratio: ratioOf(ours.map(micros), peer.map(micros))
      }
    ])
}
