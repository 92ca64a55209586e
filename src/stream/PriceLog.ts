import { Cache, Duration, Effect, Exit, Latch } from "effect"
import { instrumentOf } from "../../engine/arena/Instrument.ts"
import type { RecordedPrices } from "../arena/RecordedPrices.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { type Frame, priceFrame } from "./StreamEvent.ts"

/** A recorded price, as subscriptions with `price_sequence` are told. */
export interface SequencedPrice {
  /** When it was recorded, in milliseconds since 1970: its place among the prices. */
  readonly seq: number
  readonly frame: Frame
  /** The whole text of the frame. */
  readonly text: string
}

/** Prices that are kept in memory for others who come to the same place, by the place before them. */
const MAX_PAGES = 16

/** How long they are kept. */
const KEPT = "2 seconds"

/** How often it is looked whether there are new prices, if nobody says so. */
const LOOK = "1 second"

type Pages = Cache.Cache<number, ReadonlyArray<SequencedPrice>, Unavailable>

type RecordedPrice = Effect.Success<RecordedPrices["Service"]["newest"]>[number]

/** Tells prices one after the other, and of which one of the same asset each comes after. */
const sequenced = (medians: ReadonlyArray<RecordedPrice>, before: ReadonlyArray<RecordedPrice>) => {
  const last = new Map(before.map(({ asset, at }) => [asset, at]))
  return medians.flatMap((median): ReadonlyArray<SequencedPrice> => {
    const assetType = instrumentOf(median.asset)?.assetType
    if (assetType === undefined) return []
    const frame = priceFrame({ ...median, assetType })
    const prev = last.get(median.asset) ?? null
    last.set(median.asset, median.at)
    return [{ seq: median.at, frame, text: `${frame.head},"price_seq":${median.at},"price_prev":${prev}}` }]
  })
}

/** The first prices after a place. Assets that are traded no longer are passed over. */
const readAfter = (
  medians: RecordedPrices["Service"],
  place: number
): Effect.Effect<ReadonlyArray<SequencedPrice>, Unavailable> =>
  Effect.gen(function* () {
    const recorded = yield* medians.after(place)
    const last = recorded.at(-1)
    if (last === undefined) return []
    const told = sequenced(recorded, yield* medians.lastBefore(place + 1))
    return told.length > 0 ? told : yield* readAfter(medians, last.at)
  })

/**
 * Every recorded price in sequence, read from where they are recorded: any node can tell them, whatever it heard of the
 * one that writes.
 */
export class PriceLog {
  readonly #medians: RecordedPrices["Service"]
  readonly #pages: Pages
  readonly #news = Latch.makeUnsafe(false)

  private constructor(medians: RecordedPrices["Service"], pages: Pages) {
    this.#medians = medians
    this.#pages = pages
  }

  static readonly make = Effect.fnUntraced(function* (medians: RecordedPrices["Service"]): Effect.fn.Return<PriceLog> {
    const pages: Pages = yield* Cache.makeWith((place: number) => readAfter(medians, place), {
      capacity: MAX_PAGES,
      timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.length > 0 ? KEPT : Duration.zero)
    })
    return new PriceLog(medians, pages)
  })

  /** The first prices after a place; none where there are none yet. */
  after(place: number): Effect.Effect<ReadonlyArray<SequencedPrice>, Unavailable> {
    return Cache.get(this.#pages, place)
  }

  /** The newest price of each asset. */
  readonly newest: Effect.Effect<ReadonlyArray<SequencedPrice>, Unavailable> = Effect.suspend(() =>
    Effect.gen({ self: this }, function* () {
      const { lastBefore, newest } = this.#medians
      const prices: Array<SequencedPrice> = []
      for (const [at, medians] of Map.groupBy(yield* newest, (median) => median.at)) {
        prices.push(...sequenced(medians, yield* lastBefore(at)))
      }
      return prices.toSorted((one, other) => one.seq - other.seq)
    })
  )

  /** Somebody says that there is a new price. */
  recorded(): void {
    this.#news.openUnsafe()
  }

  /** Waits until there may be new prices. */
  readonly news: Effect.Effect<void> = Effect.suspend(() => {
    this.#news.closeUnsafe()
    return Effect.asVoid(Effect.timeoutOption(this.#news.await, LOOK))
  })
}
