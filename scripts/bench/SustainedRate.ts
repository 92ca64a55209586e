import { Effect } from "effect"
import type { Bench, Case } from "./Case.ts"
import {
  CONNECTIONS,
  COST_TARGETS,
  type Contestant,
  marketOf,
  spreadOver,
  startContest,
  type Variant,
  VARIANTS,
  variantsOf
} from "./CommitmentContest.ts"
import { fillBoth, type Markets } from "./ConventionalMarket.ts"
import { type Cost, costRows, loggedRows, withCost } from "./Cost.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { lagOf, untilProjected } from "./ProjectionLag.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { shown } from "./Table.ts"
import { inTurns, QUICK, type Rounds } from "./Turns.ts"

interface Scale extends Rounds {
  /** Milliseconds of which each has a rate of its own. */
  readonly slice: number
}

const FULL: Scale = { count: 1, millis: 120_000, warmUp: 4_000, slice: 10_000 }
const SMOKE: Scale = { ...QUICK, slice: QUICK.millis / 2 }

/** One load, and how the tables followed. */
interface Sustained extends LoadResult, Cost {
  /** Entries that the tables did not show yet, at each slice's end; none where they are written with the journal. */
  readonly behind: ReadonlyArray<number>
  /** Milliseconds from the load's end until they showed all of it. */
  readonly catchingUp: number | undefined
}

/** Runs something, and looks at intervals how far the tables are behind. */
const watched = Effect.fnUntraced(function* (
  { postgres }: Bench,
  { database }: Contestant,
  every: number,
  load: Effect.Effect<LoadResult & Cost>
) {
  const behind: Array<number> = []
  const look = Effect.map(lagOf(postgres, database), (lag) => {
    if (lag !== undefined) behind.push(lag.head - lag.projected)
  })
  const looking = Effect.forever(Effect.andThen(Effect.sleep(every), look))
  const result = yield* Effect.raceFirst(load, looking)
  yield* look
  return { ...result, behind, catchingUp: yield* untilProjected(postgres, database) } satisfies Sustained
})

const contest = Effect.fnUntraced(function* (bench: Bench, markets: Markets, variant: Variant) {
  bench.say(spreadOver(markets.world, variant))
  const { load, ours, peer } = yield* startContest(bench, markets, variant)
  const { slice, ...rounds } = bench.quick ? SMOKE : FULL
  const found: Array<Sustained> = []
  const theirs: Array<LoadResult & Cost> = []
  yield* inTurns(bench, rounds, [ours, peer], (side, millis, round) => {
    const loading = withCost(bench.postgres, side, load(side, { millis, seed: 1 + round, sliceMillis: slice }))
    return side === ours
      ? Effect.map(watched(bench, side, slice, loading), (result) => {
          if (round > 0) found.push(result)
          if (result.catchingUp === undefined) bench.say("tables are written with the journal: none lags behind it")
        })
      : Effect.map(loading, (result) => void (round > 0 && theirs.push(result)))
  })
  return { ours: found, peer: theirs, slice }
}, Effect.scoped)

const rate = ({ perSecond }: LoadResult): number => perSecond

const slicesOf = (rounds: ReadonlyArray<LoadResult>): ReadonlyArray<number> => rounds.flatMap(({ slices }) => slices)

const lagRows = (ours: ReadonlyArray<Sustained>): ReadonlyArray<Row> => {
  const behind = ours.flatMap((round) => round.behind)
  const catchingUp = ours.flatMap((round) => round.catchingUp ?? [])
  return catchingUp.length === 0
    ? []
    : [
        { key: "q", what: "  entries that the tables did not show yet", unit: "", ours: spreadOf(behind) },
        {
          key: "q",
          what: "  after its end the tables showed all of them within",
          unit: "ms",
          ours: spreadOf(catchingUp),
          target: { bound: 1_000, at: "most" }
        }
      ]
}

const rowsOf = (
  { ours, peer, slice }: Effect.Success<ReturnType<typeof contest>>,
  spread: string,
  { target }: Variant
): ReadonlyArray<Row> => [
  {
    key: "q",
    what: `durable commitments over HTTP, ${CONNECTIONS} connections, ${spread}, at a stretch`,
    unit: "/s",
    ours: spreadOf(ours.map(rate)),
    peer: spreadOf(peer.map(rate)),
    peerName: "Fastify + pg",
    ratio: ratioOf(ours.map(rate), peer.map(rate)),
    target
  },
  {
    key: "q",
    what: `  of each ${slice / 1_000} s: ${slicesOf(ours).map(shown).join(" ")}`,
    unit: "/s",
    ours: spreadOf(slicesOf(ours)),
    peer: spreadOf(slicesOf(peer))
  },
  latencyRow("q", ours, peer),
  ...costRows({ key: "q", program: "server", targets: COST_TARGETS }, ours, peer),
  ...loggedRows("q", ours, peer),
  ...lagRows(ours)
]

/** In two minutes a few orders would be full. */
const SPREAD = VARIANTS.filter(({ orders }) => orders === marketOf({ quick: false }).orders)

/** Durable commitments of case b for two minutes without a pause: what is put off shows. */
export const sustainedRate: Case = {
  key: "q",
  title: "sustained commitments",
  variants: SPREAD.map(({ name }) => name),
  run: Effect.fnUntraced(function* (bench) {
    bench.say("filling a market")
    const markets = yield* fillBoth(bench.postgres, marketOf(bench))
    const rows = yield* Effect.forEach(
      variantsOf(bench).filter((one) => SPREAD.includes(one)),
      (variant) =>
        Effect.map(contest(bench, markets, variant), (found) =>
          rowsOf(found, spreadOver(markets.world, variant), variant)
        )
    )
    return rows.flat()
  })
}
