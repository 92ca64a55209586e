import { Effect } from "effect"
import { type LoadGenerator, loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { type Cost, costRows, type Side, withCost } from "./Cost.ts"
import {
  orderCalls,
  pageCalls,
  peerDatabase,
  productCalls,
  recordedCalls,
  stock,
  transferCalls
} from "./CommerceWorld.ts"
import type { Call, LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { peerPlan } from "./PeerPlan.ts"
import type { PeerPlan } from "./FastifyPeer.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const CONNECTIONS = 64

/** Milliseconds: a server compiles what a request needs for about as long, which costs it as much as the request. */
const WARM_UP = 20_000

const SIZE = { traders: 276, sellers: 20, products: 10_000, calls: 2_560 }
const SMALL = { traders: 12, sellers: 4, products: 240, calls: 64 }

/** One of the two servers. */
interface Server extends Side {
  readonly port: number
}

type Loaded = LoadResult & Cost

interface Contest {
  readonly what: string
  readonly calls: ReadonlyArray<Call>
  /** Where the peer is asked otherwise. */
  readonly peerCalls?: ReadonlyArray<Call>
  /** The least ratio of the rates. */
  readonly bound: number
}

const rate = ({ perSecond }: Loaded): number => perSecond

const rowsOf = (
  { bound, what }: Contest,
  ours: ReadonlyArray<Loaded>,
  peer: ReadonlyArray<Loaded>
): ReadonlyArray<Row> => [
  {
    key: "j",
    what: `${what}, 64 connections`,
    unit: "/s",
    ours: spreadOf(ours.map(rate)),
    peer: spreadOf(peer.map(rate)),
    peerName: "Fastify + pg",
    ratio: ratioOf(ours.map(rate), peer.map(rate)),
    target: { bound, at: "least" }
  },
  latencyRow("j", ours, peer),
  ...costRows({ key: "j", program: "server" }, ours, peer)
]

const contest = Effect.fnUntraced(function* (
  bench: Bench,
  generator: LoadGenerator,
  sides: ReadonlyArray<Server>,
  tokens: ReadonlyArray<string>,
  one: Contest
) {
  bench.say(one.what)
  const usual = roundsOf(bench)
  const rounds = bench.quick ? usual : { ...usual, warmUp: WARM_UP }
  const [ours = [], peer = []] = yield* inTurns(bench, rounds, sides, (side, millis, round) =>
    withCost(
      bench.postgres,
      side,
      loaded(generator, {
        port: side.port,
        connections: CONNECTIONS,
        millis,
        calls: side === sides[0] ? one.calls : (one.peerCalls ?? one.calls),
        tokens,
        seed: 1 + round
      })
    )
  )
  return rowsOf(one, ours, peer)
})

/** Products read, orders placed and money transferred, against a conventional server with tables of its own. */
export const commerceRates: Case = {
  key: "j",
  title: "commerce",
  run: Effect.fnUntraced(function* (bench) {
    const { postgres, quick, say } = bench
    const size = quick ? SMALL : SIZE
    say("filling shelves and wallets")
    const database = yield* postgres.create()
    const traders = yield* fill(postgres, database, { traders: size.traders, orders: 0, commitments: 0 })
    const program = yield* startProgram(postgres, database)
    const world = yield* stock(program.url, traders, size)
    const peersDatabase = yield* peerDatabase(postgres, world)
    yield* postgres.script(database, ["ANALYZE products, ledger_accounts, event_streams, events"])
    const peer = yield* startWorker<PeerPlan, number>("CommercePeer.ts")
    const peerPort = yield* peer.ask(yield* peerPlan(postgres, database, peersDatabase))
    const generator = yield* startLoadGenerator
    const sides: ReadonlyArray<Server> = [
      { port: portOf(program.url), pid: program.pid, database },
      { port: peerPort, pid: peer.pid, database: peersDatabase }
    ]
    const orders = orderCalls(world, size.calls)
    const contests: ReadonlyArray<Contest> = [
      { what: `pages of 20 of ${size.products} products`, calls: pageCalls, bound: 2 },
      { what: `reads of one of ${size.products} products`, calls: productCalls(world), bound: 2 },
      { what: "durable orders of 10 lines", calls: orders, peerCalls: recordedCalls(orders), bound: 5 },
      { what: "the same, the peer keeping orders and lines alone", calls: orders, bound: 3 },
      { what: "durable transfers", calls: transferCalls(world, size.calls), bound: 5 }
    ]
    const rows = yield* Effect.forEach(contests, (one) => contest(bench, generator, sides, traders.tokens, one))
    return rows.flat()
  })
}
