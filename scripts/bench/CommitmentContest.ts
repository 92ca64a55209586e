import { Effect } from "effect"
import { commitmentReferences } from "../../src/database/migrations/0028_commitment_references.ts"
import type { BarePlan } from "./BareServer.ts"
import { bodyOf, loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { type BenchWorld, commitTo } from "./BenchWorld.ts"
import { type Bench, playedOf } from "./Case.ts"
import type { Markets } from "./ConventionalMarket.ts"
import type { Costing, Side } from "./Cost.ts"
import type { PeerPlan } from "./FastifyPeer.ts"
import type { LoadPlan } from "./HttpLoad.ts"
import { peerPlan } from "./PeerPlan.ts"
import type { Target } from "./Row.ts"
import { startWorker } from "./Worker.ts"

export const CONNECTIONS = 64

const MARKET = { traders: 256, orders: 64, commitments: 0 }
const SMALL = { traders: 8, orders: 8, commitments: 0 }

export const marketOf = ({ quick }: Pick<Bench, "quick">) => (quick ? SMALL : MARKET)

/** One way to commit, on both sides. */
export interface Variant {
  /** As `--variants` says it. */
  readonly name: string
  /** Over how many of the market's orders commitments are spread; it may have fewer. */
  readonly orders: number
  /** Whether each request carries an `Idempotency-Key` of its own. */
  readonly isKeyed: boolean
  /** Of the program's rate to the peer's. */
  readonly target: Target
}

const PLAIN: Target = { bound: 8, at: "least", goal: 12 }
const KEYED: Target = { bound: 6, at: "least", goal: 8 }

/** Microseconds of processor time that a commitment may take. */
export const COST_TARGETS: NonNullable<Costing["targets"]> = {
  program: { bound: 110, at: "most", goal: 80 },
  postgres: { bound: 30, at: "most", goal: 20 }
}

export const VARIANTS: ReadonlyArray<Variant> = [
  { name: "64", orders: 64, isKeyed: false, target: PLAIN },
  { name: "4", orders: 4, isKeyed: false, target: PLAIN },
  { name: "64-keyed", orders: 64, isKeyed: true, target: KEYED },
  { name: "4-keyed", orders: 4, isKeyed: true, target: KEYED }
]

export const VARIANT_NAMES = VARIANTS.map(({ name }) => name)

/** The variants that a run is about. */
export const variantsOf = (bench: Pick<Bench, "variants">): ReadonlyArray<Variant> => {
  const played = playedOf(bench, VARIANT_NAMES)
  return VARIANTS.filter(({ name }) => played.includes(name))
}

/** A round has orders of its own while there are enough: one takes only so many commitments. */
const callsOf = ({ orderIds }: BenchWorld, { orders }: Variant, round = 0) => {
  const from = (round * orders) % Math.max(orders, orderIds.length)
  return orderIds.slice(from, from + orders).map(commitTo)
}

/** Such as `64 orders, each under an Idempotency-Key`. */
export const spreadOver = (world: BenchWorld, variant: Variant): string =>
  `${callsOf(world, variant).length} orders${variant.isKeyed ? ", each under an Idempotency-Key" : ""}`

/** Something that takes commitments. */
export interface Contestant extends Side {
  readonly port: number
}

/** Foreign keys where the program has triggers of statements, which cost more where each statement writes one row. */
const withForeignKeys = (postgres: Bench["postgres"], database: string): Effect.Effect<void> => {
  const { down } = commitmentReferences
  return postgres.script(database, "irreversible" in down ? [] : down)
}

/** A server that answers every commitment with a ready receipt, and has no database. */
const startBare = Effect.fnUntraced(function* (url: string, world: BenchWorld, variant: Variant) {
  const worker = yield* startWorker<BarePlan, number>("BareServer.ts")
  const [first] = callsOf(world, variant)
  const receipt = first === undefined ? "" : yield* bodyOf(url, first, world.tokens[0] ?? "")
  const port = yield* worker.ask({ "/api/arena/commitments": receipt })
  return { port, pid: worker.pid, database: "" } satisfies Contestant
})

/** The program and the peer on one market, each in tables of its own kind, a server that does nothing, and who loads any of them. */
export const startContest = Effect.fnUntraced(function* (
  { postgres }: Bench,
  { conventional, ours: market, world }: Markets,
  variant: Variant
) {
  const ourDatabase = yield* postgres.create(market)
  const peerDatabase = yield* postgres.create(conventional)
  yield* withForeignKeys(postgres, peerDatabase)
  const program = yield* startProgram(postgres, ourDatabase)
  const worker = yield* startWorker<PeerPlan, number>("FastifyPeer.ts")
  const peerPort = yield* worker.ask(yield* peerPlan(postgres, ourDatabase, peerDatabase))
  const generator = yield* startLoadGenerator
  const ours: Contestant = { port: portOf(program.url), pid: program.pid, database: ourDatabase }
  const peer: Contestant = { port: peerPort, pid: worker.pid, database: peerDatabase }
  const load = ({ port }: Contestant, how: Pick<LoadPlan, "millis" | "seed" | "sliceMillis">) =>
    loaded(generator, {
      ...how,
      port,
      connections: CONNECTIONS,
      calls: callsOf(world, variant, how.seed),
      tokens: world.tokens,
      isKeyed: variant.isKeyed
    })
  return { url: program.url, ours, peer, bare: startBare(program.url, world, variant), load }
})
