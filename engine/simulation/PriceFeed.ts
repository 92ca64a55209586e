import type { Problem } from "../arena/CircuitBreaker.ts"
import { amountFromFine, type FinePrice } from "../arena/FinePrice.ts"
import type { KeyedHash } from "../arena/KeyedHash.ts"
import type { Median } from "../arena/Median.ts"
import { PriceBoard, type QuotedPrice } from "../arena/PriceBoard.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { advance, begin, type PriceWalk, priceWalk, type WalkState } from "../arena/PriceWalk.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { type PastPrices, recordedAt, walkFrom } from "./WorldPrices.ts"

/** Market seconds that pass at each price. */
export const WALK_SPEED = 600

/** What the source of prices does now: all prices are off by `factor`, in 10⁻⁶, or there are none. */
export interface Weather {
  readonly isStalled: boolean
  readonly factor: number
}

/** The recorded medians of everything the arena trades, walked from the real closes under a key. */
export class PriceFeed {
  /** By asset, ascending in time. */
  readonly medians = new Map<string, Array<Median>>()
  readonly #board = new PriceBoard()
  readonly #walk: PriceWalk
  #state: WalkState

  readonly #past: PastPrices | undefined

  /** @param past - what was recorded, which comes again and goes on; without it the walk begins at the last real closes */
  constructor(history: PriceHistory, hash: KeyedHash, past?: PastPrices) {
    this.#past = past
    this.#walk = past === undefined ? priceWalk(history, hash, WALK_SPEED) : walkFrom(history, hash, past)
    this.#state = begin(this.#walk, 0, new Map())
  }

  /** Walks a step and records a median of each asset. Answers those recorded and what is wrong with prices now. */
  record(
    now: number,
    { isStalled, factor }: Weather
  ): { readonly recorded: ReadonlyArray<Median>; readonly problems: ReadonlyArray<Problem> } {
    const { step } = this.#state
    const walked = advance(this.#walk, this.#state, step + 1)
    this.#state = this.#past?.path ? onPath(walked, recordedAt(this.#past, step)) : walked
    const quotes = Array.from(isStalled ? [] : this.#state.prices, ([asset, fine]): QuotedPrice => {
      return { asset, price: spiked(amountFromFine(fine), factor) }
    })
    const { medians, problems } = this.#board.judge(quotes, now)
    const recorded = medians.map(({ median }) => median)
    for (const median of recorded) {
      this.#board.add(median)
      this.#series(median.asset).push(median)
    }
    return { recorded, problems }
  }

  /** The last recorded median of an asset, safe or not. */
  latest(asset: string): Median | undefined {
    return this.#board.latest(asset)
  }

  /** The medians of this very moment, by asset. */
  at(now: number): ReadonlyMap<string, Median> {
    const found = new Map<string, Median>()
    for (const [asset, series] of this.medians) {
      const last = series.at(-1)
      if (last?.at === now) found.set(asset, last)
    }
    return found
  }

  /** The medians of an asset from a time on, ascending. */
  since(asset: string, from: number): ReadonlyArray<Median> {
    const series = this.medians.get(asset) ?? []
    return series.slice(firstAt(series, from))
  }

  #series(asset: string): Array<Median> {
    const known = this.medians.get(asset)
    if (known !== undefined) return known
    const made: Array<Median> = []
    this.medians.set(asset, made)
    return made
  }
}

/** The walk with the prices that were recorded in the place of its own. */
const onPath = (walked: WalkState, recorded: ReadonlyMap<string, FinePrice>): WalkState => ({
  ...walked,
  prices: new Map(Array.from(walked.prices, ([asset, price]) => [asset, recorded.get(asset) ?? price]))
})

const spiked = (price: Amount, factor: number): Amount => {
  if (factor === Number(ONE)) return price
  const off = (price * BigInt(factor)) / ONE
  return fromUnits(off > 0n ? off : 1n)
}

/** The index of the first median at or after a time. */
const firstAt = (series: ReadonlyArray<Median>, from: number): number => {
  let low = 0
  let high = series.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((series[middle]?.at ?? from) < from) low = middle + 1
    else high = middle
  }
  return low
}
