import { Effect } from "effect"
import { type LoadGenerator, loaded, startLoadGenerator } from "./BenchServer.ts"
import { type BenchWorld, commitTo, fill } from "./BenchWorld.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import { CONNECTIONS, marketOf, type Variant, VARIANTS } from "./CommitmentContest.ts"
import { costRows } from "./Cost.ts"
import { metricsText } from "./Counter.ts"
import { edgeBatches } from "./EdgeBatches.ts"
import { edgeRow, measured, startWays, type WayCost } from "./EdgeWays.ts"
import type { LoadPlan, LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { boundOf, bucketsIn } from "./MetricHistogram.ts"
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

/** One load, with the processor time of one in the node between. */
type Found = LoadResult & WayCost

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
    measured(bench.postgres, way, load(loading, way.port, { millis, seed: 1 + round }))
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
    edgeRow(through),
    row("  memory of the node between, after all this", "MiB", memory, SMALL),
    row(`  at ${lag.rate} events a second it has half of them within`, "ms", lag.half),
    row("  and 99 % of them", "ms", lag.most, SOON)
  ]
}

const SPREAD = VARIANTS.filter(({ orders }) => orders === marketOf({ quick: false }).orders)

const PROMOTION = "promotion"
const STREAMS = "streams"
const BATCHES = "batches"

const NAMES = [...SPREAD.map(({ name }) => name), BATCHES, PROMOTION, STREAMS]

const commitmentRows = Effect.fnUntraced(function* (bench: Bench, played: ReadonlyArray<string>) {
  const variants = SPREAD.filter(({ name }) => played.includes(name))
  const withBatches = played.includes(BATCHES)
  if (variants.length === 0 && !withBatches) return []
  bench.say("filling a market")
  const market = yield* bench.postgres.create()
  const world = yield* fill(bench.postgres, market, marketOf(bench))
  const rows = yield* Effect.forEach(variants, (variant) =>
    Effect.map(contest(bench, market, world, variant), (found) => rowsOf(found, variant))
  )
  return [...rows.flat(), ...(withBatches ? yield* edgeBatches(bench, market, world) : [])]
})

/** Commitments of cases b and l at one server alone, at one node, and through a node that does not write; a takeover; and streams. */
export const edgeCommitments: Case = {
  key: "u",
  title: "commitments at several nodes",
  variants: NAMES,
  run: Effect.fnUntraced(function* (bench) {
    const played = playedOf(bench, NAMES)
    return [
      ...(yield* commitmentRows(bench, played)),
      ...(played.includes(PROMOTION) ? yield* promotion(bench) : []),
      ...(played.includes(STREAMS) ? yield* nodeStreams(bench) : [])
    ]
  })
}
