import { Context, Effect, Layer } from "effect"
import { ASSET_TYPES, type AssetType } from "../../engine/arena/AssetType.ts"
import type { Problem } from "../../engine/arena/CircuitBreaker.ts"
import { type Instrument, INSTRUMENTS } from "../../engine/arena/Instrument.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { priceProblem, type RecordedPrice, WINDOW_MILLIS } from "../../engine/arena/PriceBand.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { type OracleMedian, Oracles } from "../oracles/Oracles.ts"
import { MedianRepository, type SourcedMedian } from "./MedianRepository.ts"

/** Told of medians that were recorded. Must not block. */
export type PriceListener = (medians: ReadonlyArray<SourcedMedian>) => void

/** The oracles' word is taken fresh or not at all: they leave out what is stale. */
const FRESH_FOR_MILLIS = 0

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
      const windows = new Map<string, Array<SourcedMedian>>()
      const listeners = new Set<PriceListener>()

      const remember = (median: SourcedMedian): void => {
        const window = windows.get(median.asset) ?? []
        window.push(median)
        while (window[0] !== undefined && window[0].at < median.at - WINDOW_MILLIS) window.shift()
        windows.set(median.asset, window)
      }

      const newest = yield* repository.newest
      const last = newest.reduce((latest, { at }) => Math.max(latest, at), 0)
      for (const median of yield* repository.recent(last - WINDOW_MILLIS)) remember(median)

      const problemOf = (instrument: Instrument, price: RecordedPrice | undefined, now: number) =>
        priceProblem(
          price ?? windows.get(instrument.asset)?.at(-1),
          { type: instrument.assetType, recorded: windows.get(instrument.asset) ?? [], freshFor: FRESH_FOR_MILLIS },
          now
        )

      const judge = (found: ReadonlyMap<string, OracleMedian>, now: number) =>
        INSTRUMENTS.map((instrument) => {
          const median = found.get(instrument.asset)
          const price = median === undefined ? undefined : { at: now, price: median.price }
          return { instrument, median, problem: problemOf(instrument, price, now) }
        })

      const record = Effect.fn("PriceBook.record")(function* (now: number) {
        const medians = yield* oracles.medians
        const judged = judge(new Map(medians.map((median) => [median.asset, median])), now)
        const recorded = judged.flatMap(({ median, problem }) =>
          median === undefined
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
        for (const median of recorded) remember(median)
        if (recorded.length > 0) for (const listener of listeners) listener(recorded)
        return judged.flatMap(({ instrument, problem }) =>
          problem === undefined ? [] : scopesOf(instrument.assetType).map((scope) => ({ scope, reason: problem }))
        )
      })

      return PriceBook.of({
        record,
        latest: (asset) => windows.get(asset)?.at(-1),
        since: (asset, from) => repository.since(asset, from),
        onRecorded: (listener) => Effect.sync(() => void listeners.add(listener))
      })
    })
  )
}

/** An asset's problem is its type's, and the options' where options are written on the type. */
const scopesOf = (type: AssetType): ReadonlyArray<AssetType> =>
  ASSET_TYPES.filter((scope) => scope === type || (scope === "options" && UNDERLYING_TYPES.has(type)))
