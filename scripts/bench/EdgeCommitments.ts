import { Effect } from "effect"
import { startNodes } from "./BenchNodes.ts"
import { type LoadGenerator, loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { type BenchWorld, commitTo, fill } from "./BenchWorld.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import { CONNECTIONS, type Contestant, marketOf, type Variant, VARIANTS } from "./CommitmentContest.ts"
import { type Cost, costRows, withCost } from "./Cost.ts"
import { metricsText } from "./Counter.ts"
import type { LoadPlan, LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { boundOf, bucketsIn } from "./MetricHistogram.ts"
import { processorMicros } from "./ProcessorTime.ts"
import { nodeStreams } from "./NodeStreams.ts"
import { promotion } from "./Promotion.ts"
import { MIB, residentBytes } from "./ResidentMemory.ts"
import type { Row, Target } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"

/** Events a second while the other node's lag is measured, and for how many milliseconds. */
const LAG_RATE = { rate: 1_000, millis: 10_000 }
const QUICK_LAG_RATE = { rate: 100, millis: 250 }

const LAG = "emporion_replication_lag_seconds"

const AS_GOOD: Target = { bound: 0.98, at: "least" }
const NEARLY: Target = { bound: 0.85, at: "least" }
const SMALL: Target = { bound: 150, at: "most" }
const SOON: Target = { bound: 20, at: "most" }

/** What takes commitments, and the node between it and the callers. */
interface Way extends Contestant {
  readonly edge?: number
}

/** One load, with the processor time of one in the node between. */
type Found = LoadResult & Cost & { readonly edge: number }

interface Loading {
  readonly generator: LoadGenerator
  readonly world: BenchWorld
  readonly isKeyed: boolean
}

const load = (
  { generator, isKeyed, world }: Loading,
  port: number,
  how: Pick<LoadPlan, "millis" | "seed" | "rate">
): Effect.Effect<LoadResult> =>
  loaded(generator, {
    ...how,
    port,
    isKeyed,
    connections: CONNECTIONS,
    calls: world.orderIds.map(commitTo),
    tokens: world.tokens
  })

const measured = Effect.fnUntraced(function* (
  { postgres }: Bench,
  way: Way,
  loading: Effect.Effect<LoadResult>
): Effect.fn.Return<Found> {
  const edge = () => (way.edge === undefined ? 0 : (processorMicros([way.edge]) ?? Number.NaN))
  const before = edge()
  const found = yield* withCost(postgres, way, loading)
  return { ...found, edge: (edge() - before) / found.answered }
})

/** One server alone, one node that nobody else joins, and a node that another one's callers reach, each on a market of its own. */
const startWays = Effect.fnUntraced(function* ({ postgres }: Bench, market: string) {
  const [own, single, shared] = [
    yield* postgres.create(market),
    yield* postgres.create(market),
    yield* postgres.create(market)
  ]
  const server = yield* startProgram(postgres, own)
  const [node] = yield* startNodes(postgres, single, 1)
  const [writer, edge] = yield* startNodes(postgres, shared, 2)
  if (node === undefined || writer === undefined || edge === undefined) return yield* Effect.die(new Error("no nodes"))
  const ways: ReadonlyArray<Way> = [
    { port: portOf(server.url), pid: server.pid, database: own },
    { port: node.place.port, pid: node.pid, database: single },
    { port: edge.place.port, pid: writer.pid, database: shared, edge: edge.pid }
  ]
  return { ways, writer, edge }
})

/** How late another node has what is committed at a steady rate, in milliseconds: bounds of its histogram. */
const lagOf = Effect.fnUntraced(function* (
  bench: Bench,
  loading: Loading,
  nodes: Effect.Success<ReturnType<typeof startWays>>
) {
  const buckets = Effect.map(metricsText(nodes.edge.url), (text) => bucketsIn(text, LAG))
  const before = yield* buckets
  const how = bench.quick ? QUICK_LAG_RATE : LAG_RATE
  yield* load(loading, nodes.writer.place.port, { ...how, seed: 1 })
  const after = yield* buckets
  return { rate: how.rate, half: boundOf(before, after, 0.5) * 1_000, most: boundOf(before, after, 0.99) * 1_000 }
})

const contest = Effect.fnUntraced(function* (bench: Bench, market: string, world: BenchWorld, variant: Variant) {
  bench.say(variant.name)
  const generator = yield* startLoadGenerator
  const loading: Loading = { generator, world, isKeyed: variant.isKeyed }
  const nodes = yield* startWays(bench, market)
  const found = yield* inTurns(bench, roundsOf(bench), nodes.ways, (way, millis, round) =>
    measured(bench, way, load(loading, way.port, { millis, seed: 1 + round }))
  )
  const memory = residentBytes(nodes.edge.pid) / MIB
  return { found, memory, lag: yield* lagOf(bench, loading, nodes) }
}, Effect.scoped)

const rate = ({ perSecond }: LoadResult): number => perSecond

const wayRows = (
  what: string,
  found: ReadonlyArray<Found>,
  alone: ReadonlyArray<Found>,
  target: Target
): ReadonlyArray<Row> => [
  {
    key: "u",
    what,
    unit: "/s",
    ours: spreadOf(found.map(rate)),
    peer: spreadOf(alone.map(rate)),
    peerName: "one server alone",
    ratio: ratioOf(found.map(rate), alone.map(rate)),
    target
  },
  latencyRow("u", found, alone),
  ...costRows({ key: "u", program: "server that writes" }, found, alone)
]

const rowsOf = (
  { found, lag, memory }: Effect.Success<ReturnType<typeof contest>>,
  { isKeyed }: Variant
): ReadonlyArray<Row> => {
  const [alone = [], single = [], through = []] = found
  const of = isKeyed ? "commitments, each under a key of its own" : "commitments"
  const row = (what: string, unit: string, value: number, target?: Target): Row => ({
    key: "u",
    what,
    unit,
    ours: spreadOf([value]),
    ...(target === undefined ? {} : { target })
  })
  return [
    ...wayRows(`${of} at one node that is to have others`, single, alone, AS_GOOD),
    ...wayRows(`${of} at a node that does not write`, through, alone, NEARLY),
    {
      key: "u",
      what: "  processor time of one in the node between",
      unit: "µs",
      ours: spreadOf(through.map(({ edge }) => edge))
    },
    row("  memory of the node between, after all this", "MiB", memory, SMALL),
    row(`  at ${lag.rate} events a second it has half of them within`, "ms", lag.half),
    row("  and 99 % of them", "ms", lag.most, SOON)
  ]
}

const SPREAD = VARIANTS.filter(({ orders }) => orders === marketOf({ quick: false }).orders)

const PROMOTION = "promotion"
const STREAMS = "streams"

const NAMES = [...SPREAD.map(({ name }) => name), PROMOTION, STREAMS]

const commitmentRows = Effect.fnUntraced(function* (bench: Bench, variants: ReadonlyArray<Variant>) {
  bench.say("filling a market")
  const market = yield* bench.postgres.create()
  const world = yield* fill(bench.postgres, market, marketOf(bench))
  return yield* Effect.forEach(variants, (variant) =>
    Effect.map(contest(bench, market, world, variant), (found) => rowsOf(found, variant))
  )
})

/** Commitments of case b at one server alone, at one node, and through a node that does not write; a takeover; and streams. */
export const edgeCommitments: Case = {
  key: "u",
  title: "commitments at several nodes",
  variants: NAMES,
  run: Effect.fnUntraced(function* (bench) {
    const played = playedOf(bench, NAMES)
    const variants = SPREAD.filter(({ name }) => played.includes(name))
    const rows = variants.length === 0 ? [] : yield* commitmentRows(bench, variants)
    return [
      ...rows.flat(),
      ...(played.includes(PROMOTION) ? yield* promotion(bench) : []),
      ...(played.includes(STREAMS) ? yield* nodeStreams(bench) : [])
    ]
  })
}
