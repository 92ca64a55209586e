import { Context, Effect, Layer } from "effect"
import { ASSET_TYPES, type AssetType } from "../../engine/arena/AssetType.ts"
import type { Problem } from "../../engine/arena/CircuitBreaker.ts"
import { instrumentOf, INSTRUMENTS } from "../../engine/arena/Instrument.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { type PriceProblem, WINDOW_MILLIS } from "../../engine/arena/PriceBand.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { type OracleMedian, Oracles } from "../oracles/Oracles.ts"
import { MedianRepository, type SourcedMedian } from "./MedianRepository.ts"
import { PriceWindow } from "./PriceWindow.ts"

/** Told of medians that were recorded. Must not block. */
export type PriceListener = (medians: ReadonlyArray<SourcedMedian>) => void

/** Asset types with prices of their own. */
const PRICED_TYPES = ["commodity", "fx", "gpu"] as const

/** Asset types with options on them. */
const UNDERLYING_TYPES: ReadonlySet<AssetType> = new Set(["commodity"])

/** The recorded medians of everything the arena trades, and what is wrong with them. */
export class PriceBook extends Context.Service<
  PriceBook,
  {
    /** Asks the oracles, records a median of each asset, and answers what is wrong with prices at this time. */
    readonly record: (now: number) => Effect.Effect<ReadonlyArray<Problem>, Unavailable>
    /** The last recorded median of an asset, safe or not, within five minutes. */
    readonly latest: (asset: string) => Median | undefined
    /** The recorded medians of an asset from a time on, ascending. */
    readonly since: (asset: string, from: number) => Effect.Effect<ReadonlyArray<Median>, Unavailable>
    readonly onRecorded: (listener: PriceListener) => Effect.Effect<void>
  }
>()("emporion/arena/PriceBook") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const oracles = yield* Oracles
      const repository = yield* MedianRepository
      const window = new PriceWindow()
      const listeners = new Set<PriceListener>()
      /** What some source has priced since the start: what none ever does is not missed. */
      const priced = new Set<string>()

      const newest = yield* repository.newest
      const last = newest.reduce((latest, { at }) => Math.max(latest, at), 0)
      for (const median of yield* repository.recent(last - WINDOW_MILLIS)) window.add(median)

      const judge = (found: ReadonlyMap<string, OracleMedian>, now: number) =>
        INSTRUMENTS.map((instrument) => {
          const median = found.get(instrument.asset)
          const price = median === undefined ? undefined : { at: now, price: median.price }
          return { instrument, median, problem: window.problem(instrument, price, now) }
        })

      const record = Effect.fn("PriceBook.record")(function* (now: number) {
        const medians = yield* oracles.medians
        for (const { asset } of medians) priced.add(asset)
        const judged = judge(new Map(medians.map((median) => [median.asset, median])), now)
        const recorded = judged.flatMap(({ median, problem }) =>
          median === undefined || window.reaches(median.asset, now)
            ? []
            : [
                {
                  asset: median.asset,
                  at: now,
                  price: median.price,
                  safe: problem === undefined,
                  source: median.source
                }
              ]
        )
        if (recorded.length > 0) yield* repository.insert(recorded)
        for (const median of recorded) window.add(median)
        if (recorded.length > 0) for (const listener of listeners) listener(recorded)
        return [
          ...withoutPrice(medians),
          ...judged.flatMap(({ instrument, problem }) =>
            problem === undefined || !priced.has(instrument.asset) ? [] : problemsOf(instrument.assetType, problem)
          )
        ]
      })

      return PriceBook.of({
        record,
        latest: (asset) => window.latest(asset),
        since: (asset, from) => repository.since(asset, from),
        onRecorded: (listener) => Effect.sync(() => void listeners.add(listener))
      })
    })
  )
}

/** An asset's problem is its type's, and the options' where options are written on the type. */
const problemsOf = (type: AssetType, reason: PriceProblem): ReadonlyArray<Problem> =>
  ASSET_TYPES.filter((scope) => scope === type || (scope === "options" && UNDERLYING_TYPES.has(type))).map((scope) => ({
    scope,
    reason
  }))

/** The asset types of which nothing has a price now. */
const withoutPrice = (medians: ReadonlyArray<OracleMedian>): ReadonlyArray<Problem> => {
  const types = new Set(medians.map(({ asset }) => instrumentOf(asset)?.assetType))
  return PRICED_TYPES.filter((type) => !types.has(type)).flatMap((type) => problemsOf(type, "missing_price"))
}
