import { Effect } from "effect"
import { loaded, startLoadGenerator } from "./BenchServer.ts"
import { fill, read, variablesOf } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { processorMicros } from "./ProcessorTime.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import type { UsagePlan } from "./UsageServer.ts"
import { startWorker } from "./Worker.ts"

const CONNECTIONS = 64

/** Each trader is a company, and so a cell of its own. */
const MARKET = { traders: 256, orders: 64, commitments: 6 }

interface Side {
  readonly pid: number
  readonly port: number
}

/** A load's result with what one of its requests took, in microseconds of processor time. */
interface Cost extends LoadResult {
  readonly micros: number
}

const run = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, say } = bench
  const start = Effect.fnUntraced(function* (database: string, isCounting: boolean) {
    const worker = yield* startWorker<UsagePlan, number>("UsageServer.ts")
    const port = yield* worker.ask({ variables: variablesOf(postgres, database), isCounting })
    return { pid: worker.pid, port } satisfies Side
  })
  say("filling two markets")
  const [one, other] = [yield* postgres.create(), yield* postgres.create()]
  const worlds = [yield* fill(postgres, one, MARKET), yield* fill(postgres, other, MARKET)]
  const sides = [yield* start(one, true), yield* start(other, false)]
  const generator = yield* startLoadGenerator
  const [ours = [], peer = []] = yield* inTurns(bench, roundsOf(bench), sides, (side, millis, round) =>
    Effect.gen(function* () {
      const world = worlds[sides.indexOf(side)]
      const before = processorMicros([side.pid]) ?? Number.NaN
      const calls = world?.orderIds.map(read) ?? []
      const tokens = world?.tokens ?? []
      const plan = { port: side.port, connections: CONNECTIONS, millis, calls, tokens, seed: 1 + round }
      const result = yield* loaded(generator, plan)
      const used = (processorMicros([side.pid]) ?? Number.NaN) - before
      return { ...result, micros: used / result.answered } satisfies Cost
    })
  )
  return { ours, peer }
})

const rate = ({ perSecond }: Cost): number => perSecond
const micros = (one: Cost): number => one.micros

/** Authenticated reads with usage counted for 256 companies and written every ten seconds, and without. */
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
