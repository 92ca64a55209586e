import { Effect } from "effect"
import { ON_DENO } from "./BenchServer.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import {
  CONNECTIONS,
  COST_TARGETS,
  marketOf,
  spreadOver,
  startContest,
  type Variant,
  VARIANT_NAMES,
  variantsOf
} from "./CommitmentContest.ts"
import { commitmentsOnDeno } from "./CommitmentsOnDeno.ts"
import { fillBoth, type Markets } from "./ConventionalMarket.ts"
import { type Cost, costRows, loggedRows, withCost } from "./Cost.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { phaseRows, phasesOf } from "./Phases.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"

interface Contest {
  readonly ours: ReadonlyArray<LoadResult & Cost>
  readonly peer: ReadonlyArray<LoadResult & Cost>
  /** The generator against a server that does nothing; with the first variant alone. */
  readonly bare: ReadonlyArray<LoadResult>
  /** Where the program's main thread spent its time, warming up included. */
  readonly phases: ReadonlyArray<Row>
}

const contest = Effect.fnUntraced(function* (bench: Bench, markets: Markets, variant: Variant, isFirst: boolean) {
  bench.say(spreadOver(markets.world, variant))
  const { bare, load, ours, peer, url } = yield* startContest(bench, markets, variant)
  const sides = isFirst ? [ours, peer, yield* bare] : [ours, peer]
  const before = yield* phasesOf(url)
  const [found = [], theirs = [], trivial = []] = yield* inTurns(bench, roundsOf(bench), sides, (side, millis, round) =>
    withCost(bench.postgres, side, load(side, { millis, seed: 1 + round }))
  )
  const phases = phaseRows("b", before, yield* phasesOf(url))
  return { ours: found, peer: theirs, bare: trivial, phases } satisfies Contest
}, Effect.scoped)

const rate = ({ perSecond }: LoadResult): number => perSecond
const median = ({ p50 }: LoadResult): number => p50

const generatorRow = (ours: ReadonlyArray<LoadResult>, bare: ReadonlyArray<LoadResult>): Row => ({
  key: "b",
  what: "  the load generator can do, against a bare server",
  unit: "/s",
  ours: spreadOf(bare.map(rate)),
  ratio: ratioOf(bare.map(rate), ours.map(rate)),
  target: { bound: 3, at: "least" }
})

const rowsOf = ({ bare, ours, peer, phases }: Contest, spread: string, { target }: Variant): ReadonlyArray<Row> => [
  {
    key: "b",
    what: `durable commitments over HTTP, ${CONNECTIONS} connections, ${spread}`,
    unit: "/s",
    ours: spreadOf(ours.map(rate)),
    peer: spreadOf(peer.map(rate)),
    peerName: "Fastify + pg",
    ratio: ratioOf(ours.map(rate), peer.map(rate)),
    target
  },
  {
    key: "b",
    what: "  half of them are answered within",
    unit: "ms",
    ours: spreadOf(ours.map(median)),
    peer: spreadOf(peer.map(median))
  },
  latencyRow("b", ours, peer),
  ...costRows({ key: "b", program: "server", targets: COST_TARGETS }, ours, peer),
  ...phases,
  ...loggedRows("b", ours, peer),
  ...(bare.length === 0 ? [] : [generatorRow(ours, bare)])
]

const VARIANTS = [...VARIANT_NAMES, ON_DENO]

/** Acknowledged durable commitments a second, authenticated and validated, against a conventional server. */
export const commitmentRate: Case = {
  key: "b",
  title: "durable commitments",
  variants: VARIANTS,
  run: Effect.fnUntraced(function* (bench) {
    bench.say("filling a market")
    const markets = yield* fillBoth(bench.postgres, marketOf(bench))
    const played = playedOf(bench, VARIANTS)
    const contests = variantsOf(bench).filter(({ name }) => played.includes(name))
    const rows = yield* Effect.forEach(contests, (variant, index) =>
      Effect.map(contest(bench, markets, variant, index === 0), (found) =>
        rowsOf(found, spreadOver(markets.world, variant), variant)
      )
    )
    return [...rows.flat(), ...(played.includes(ON_DENO) ? yield* commitmentsOnDeno(bench, markets) : [])]
  })
}
