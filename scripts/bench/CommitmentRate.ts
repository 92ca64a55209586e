import { Effect } from "effect"
import { commitmentReferences } from "../../src/database/migrations/0028_commitment_references.ts"
import type { BarePlan } from "./BareServer.ts"
import { bodyOf, loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { type BenchWorld, commitTo, fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import type { PeerPlan } from "./FastifyPeer.ts"
import type { LoadPlan, LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { peerPlan } from "./PeerPlan.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const CONNECTIONS = 64

const MARKET = { traders: 256, orders: 64, commitments: 0 }
const SMALL = { traders: 8, orders: 8, commitments: 0 }

interface Contest {
  readonly ours: ReadonlyArray<LoadResult>
  readonly peer: ReadonlyArray<LoadResult>
  /** The generator against a server that does nothing. */
  readonly bare: ReadonlyArray<LoadResult>
}

/** Foreign keys where the program has triggers of statements, which cost more where each statement writes one row. */
const withForeignKeys = (postgres: Bench["postgres"], database: string): Effect.Effect<void> => {
  const { down } = commitmentReferences
  return postgres.script(database, "irreversible" in down ? [] : down)
}

/** The program, the peer and the bare server on copies of one market, loaded in turns. */
const contest = Effect.fnUntraced(function* (
  bench: Bench,
  market: string,
  world: BenchWorld,
  calls: LoadPlan["calls"],
  isKeyed = false
) {
  const { postgres } = bench
  const ourDatabase = yield* postgres.create(market)
  const peerDatabase = yield* postgres.create(market)
  yield* withForeignKeys(postgres, peerDatabase)
  const program = yield* startProgram(postgres, ourDatabase)
  const peer = yield* startWorker<PeerPlan, number>("FastifyPeer.ts")
  const bareServer = yield* startWorker<BarePlan, number>("BareServer.ts")
  const generator = yield* startLoadGenerator
  const [first] = calls
  const receipt = first === undefined ? "" : yield* bodyOf(program.url, first, world.tokens[0] ?? "")
  const peerPort = yield* peer.ask(yield* peerPlan(postgres, peerDatabase))
  const barePort = yield* bareServer.ask({ "/api/arena/commitments": receipt })
  const ports = [portOf(program.url), peerPort, barePort]
  const [ours = [], theirs = [], trivial = []] = yield* inTurns(bench, roundsOf(bench), ports, (port, millis, round) =>
    loaded(generator, { port, connections: CONNECTIONS, millis, calls, tokens: world.tokens, seed: 1 + round, isKeyed })
  )
  return { ours, peer: theirs, bare: trivial } satisfies Contest
}, Effect.scoped)

const rate = ({ perSecond }: LoadResult): number => perSecond
const median = ({ p50 }: LoadResult): number => p50

const rowsOf = ({ ours, peer, bare }: Contest, spread: string): ReadonlyArray<Row> => [
  {
    key: "b",
    what: `durable commitments over HTTP, 64 connections, ${spread}`,
    unit: "/s",
    ours: spreadOf(ours.map(rate)),
    peer: spreadOf(peer.map(rate)),
    peerName: "Fastify + pg",
    ratio: ratioOf(ours.map(rate), peer.map(rate)),
    target: { bound: 5, at: "least", goal: 8 }
  },
  {
    key: "b",
    what: "  half of them are answered within",
    unit: "ms",
    ours: spreadOf(ours.map(median)),
    peer: spreadOf(peer.map(median))
  },
  latencyRow("b", ours, peer),
  {
    key: "b",
    what: "  the load generator can do, against a bare server",
    unit: "/s",
    ours: spreadOf(bare.map(rate)),
    ratio: ratioOf(bare.map(rate), ours.map(rate)),
    target: { bound: 3, at: "least" }
  }
]

/** Acknowledged durable commitments a second, authenticated and validated, against a conventional server. */
export const commitmentRate: Case = {
  key: "b",
  title: "durable commitments",
  run: (bench) =>
    Effect.gen(function* () {
      const { postgres, quick, say } = bench
      say("filling a market")
      const market = yield* postgres.create()
      const world = yield* fill(postgres, market, quick ? SMALL : MARKET)
      const many = yield* contest(bench, market, world, world.orderIds.map(commitTo))
      const few = yield* contest(bench, market, world, world.orderIds.slice(0, 4).map(commitTo))
      const all = `${world.orderIds.length} orders`
      const keyed = yield* contest(bench, market, world, world.orderIds.map(commitTo), true)
      return [
        ...rowsOf(many, all),
        ...rowsOf(few, "4 orders").slice(0, 1),
        ...rowsOf(keyed, `${all}, each under an Idempotency-Key`).slice(0, 1)
      ]
    })
}
