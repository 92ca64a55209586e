import type { Median } from "../arena/Median.ts"
import { WINDOW_MILLIS } from "../arena/PriceBand.ts"
import { FAIR_WINDOW, FEWEST_PRICES } from "./FairPrice.ts"

const NONE: ReadonlyArray<Median> = []

const isFresh = (newest: Median, at: number): boolean => newest.at >= at - WINDOW_MILLIS

/** Whether there is a fair price of medians at a time: enough of them, and a fresh one. */
const isPriced = (medians: ReadonlyArray<Median>, at: number): boolean => {
  const newest = medians.at(-1)
  return newest !== undefined && medians.length >= FEWEST_PRICES && isFresh(newest, at)
}

/** The newest safe medians of each asset, as many as a fair price is made of. */
export class BotPrices {
  readonly #newest = new Map<string, Array<Median>>()

  /** Takes in a median; answers whether its asset has a fair price now that it had not just before. */
  add(median: Median): boolean {
    const { asset, at, safe } = median
    if (!safe) return false
    const medians = this.#newest.get(asset) ?? []
    this.#newest.set(asset, medians)
    const last = medians.at(-1)
    if (last !== undefined && last.at >= at) return false
    const hadOne = isPriced(medians, at)
    medians.push(median)
    if (medians.length > FAIR_WINDOW) medians.shift()
    return !hadOne && isPriced(medians, at)
  }

  /** An asset's, oldest first; none where the newest is not of the last five minutes before `at`. */
  of(asset: string, at: number): ReadonlyArray<Median> {
    const medians = this.#newest.get(asset) ?? NONE
    const newest = medians.at(-1)
    return newest !== undefined && isFresh(newest, at) ? [...medians] : NONE
  }
}
