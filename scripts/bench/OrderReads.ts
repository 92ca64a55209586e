import { Effect } from "effect"
import type { BarePlan } from "./BareServer.ts"
import { bodyOf, loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { fill, read } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const CONNECTIONS = 64

/** As many commitments on an order as the sandbox has house traders. */
const MARKET = { traders: 64, orders: 64, commitments: 6 }

const run = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, say } = bench
  say("filling a market")
  const database = yield* postgres.create()
  const world = yield* fill(postgres, database, MARKET)
  const program = yield* startProgram(postgres, database)
  const bare = yield* startWorker<BarePlan, number>("BareServer.ts")
  const generator = yield* startLoadGenerator
  const calls = world.orderIds.map(read)
  const bodies = yield* Effect.forEach(calls, (call) => bodyOf(program.url, call, world.tokens[0] ?? ""))
  const barePort = yield* bare.ask(
    Object.fromEntries(world.orderIds.map((id, index) => [`/api/arena/orders/${id}`, bodies[index] ?? ""]))
  )
  const ports = [portOf(program.url), barePort]
  const [ours = [], theirs = []] = yield* inTurns(bench, roundsOf(bench), ports, (port, millis, round) =>
    loaded(generator, { port, connections: CONNECTIONS, millis, calls, tokens: world.tokens, seed: 1 + round })
  )
  return { ours, theirs, bytes: Buffer.byteLength(bodies[0] ?? "") }
})

const rate = ({ perSecond }: LoadResult): number => perSecond

/** Authenticated reads of an order with its commitments, against a bare server that answers the same bytes. */
export const orderReads: Case = {
  key: "c",
  title: "order reads",
  run: (bench) =>
    Effect.map(run(bench), ({ ours, theirs, bytes }) => [
      {
        key: "c",
        what: `reads of an order with 6 commitments (${bytes} bytes), 64 connections`,
        unit: "/s",
        ours: spreadOf(ours.map(rate)),
        peer: spreadOf(theirs.map(rate)),
        peerName: "bare Bun.serve",
        ratio: ratioOf(ours.map(rate), theirs.map(rate)),
        target: { bound: 0.3, at: "least", goal: 0.5 }
      },
      latencyRow("c", ours, theirs)
    ])
}
