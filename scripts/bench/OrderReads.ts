import { Effect } from "effect"
import type { BarePlan } from "./BareServer.ts"
import { bodyOf, loaded, ON_DENO, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { fill, read } from "./BenchWorld.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const CONNECTIONS = 64

const VARIANTS = ["bun", ON_DENO]

/** As many commitments on an order as the sandbox has house traders. */
const MARKET = { traders: 64, orders: 64, commitments: 6 }

const run = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, say } = bench
  say("filling a market")
  const database = yield* postgres.create()
  const world = yield* fill(postgres, database, MARKET)
  const played = playedOf(bench, VARIANTS)
  const copies = played.includes(ON_DENO) ? [yield* postgres.create(database)] : []
  const program = yield* startProgram(postgres, database)
  const onDeno = yield* Effect.forEach(copies, (copy) => startProgram(postgres, copy, {}, "deno"))
  const bare = yield* startWorker<BarePlan, number>("BareServer.ts")
  const generator = yield* startLoadGenerator
  const calls = world.orderIds.map(read)
  const bodies = yield* Effect.forEach(calls, (call) => bodyOf(program.url, call, world.tokens[0] ?? ""))
  const barePort = yield* bare.ask(
    Object.fromEntries(world.orderIds.map((id, index) => [`/api/arena/orders/${id}`, bodies[index] ?? ""]))
  )
  const ports = [portOf(program.url), barePort, ...onDeno.map(({ url }) => portOf(url))]
  const [ours = [], theirs = [], deno = []] = yield* inTurns(bench, roundsOf(bench), ports, (port, millis, round) =>
    loaded(generator, { port, connections: CONNECTIONS, millis, calls, tokens: world.tokens, seed: 1 + round })
  )
  return { ours, theirs, deno, bytes: Buffer.byteLength(bodies[0] ?? "") }
})

const rate = ({ perSecond }: LoadResult): number => perSecond

/** The same on Deno; nothing where it was not played. */
const denoRows = (deno: ReadonlyArray<LoadResult>, bun: ReadonlyArray<LoadResult>): ReadonlyArray<Row> =>
  deno.length === 0
    ? []
    : [
        {
          key: "c",
          what: "the same reads on Deno",
          unit: "/s",
          ours: spreadOf(deno.map(rate)),
          peer: spreadOf(bun.map(rate)),
          peerName: "on Bun",
          ratio: ratioOf(deno.map(rate), bun.map(rate))
        },
        latencyRow("c", deno, bun)
      ]

/** Authenticated reads of an order with its commitments, against a bare server that answers the same bytes. */
export const orderReads: Case = {
  key: "c",
  title: "order reads",
  variants: VARIANTS,
  run: (bench) =>
    Effect.map(run(bench), ({ ours, theirs, deno, bytes }) => [
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
      latencyRow("c", ours, theirs),
      ...denoRows(deno, ours)
    ])
}
