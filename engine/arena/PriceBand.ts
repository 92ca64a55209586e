/** The band: how far a price may be from its five-minute mean and still be safe. */

import type { Amount } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"

/** What has a price of its own; an option is judged by its underlying's. */
export type PricedType = Exclude<AssetType, "options">

/** How far a price may be from its mean, in percent, the limit included. */
export const BAND_PERCENT: Readonly<Record<PricedType, bigint>> = { commodity: 10n, fx: 5n, gpu: 10n }

/** How old what a source last said may be and still be its price, in milliseconds: a few failed requests are bridged. */
export const SOURCE_FRESH_MILLIS = 120_000

/** How far back the mean reaches: 5 minutes. */
export const WINDOW_MILLIS = 300_000

/** A recorded price: USD for one unit, at a time in milliseconds since 1970. */
export interface RecordedPrice {
  readonly at: number
  readonly price: Amount
}

/** What a new price of one asset is judged against. */
export interface Band {
  readonly type: PricedType
  /** The asset's recorded medians, safe or not, in any order. */
  readonly recorded: ReadonlyArray<RecordedPrice>
  /** Their {@link sumBefore} a time, where it is at hand. */
  readonly sumBefore?: (at: number) => PriceSum
  /** The oldest a price may be and still be fresh, in milliseconds. */
  readonly freshFor: number
}

/** Some prices added up. */
export interface PriceSum {
  readonly count: number
  readonly sum: bigint
}

export type PriceProblem = "missing_price" | "stale_price" | "price_outside_band"

/**
 * What is wrong with an asset's newest price at `now`, if anything: there is none (or it is not positive), it is older
 * than the band allows, or it is further from the mean of the medians recorded in the 5 minutes before it than its type
 * allows. A first price has no mean and no band.
 */
export const priceProblem = (newest: RecordedPrice | undefined, band: Band, now: number): PriceProblem | undefined => {
  if (newest === undefined || newest.price <= 0n) return "missing_price"
  if (now - newest.at > band.freshFor) return "stale_price"
  return isInside(newest, band) ? undefined : "price_outside_band"
}

/** Whether a price is fresh and inside its band at `now`. */
export const isSafe = (newest: RecordedPrice, band: Band, now: number): boolean =>
  priceProblem(newest, band, now) === undefined

/** |price − mean| × 100 ≤ percent × mean, for the mean of the medians in [price's time − 5 minutes, price's time). */
const isInside = ({ at, price }: RecordedPrice, band: Band): boolean => {
  const { count, sum } = band.sumBefore?.(at) ?? sumBefore(band.recorded, at)
  const apart = price * BigInt(count) - sum
  return (apart < 0n ? -apart : apart) * 100n <= BAND_PERCENT[band.type] * sum
}

/** The sum of those in [time − 5 minutes, time), in any order. */
export const sumBefore = (recorded: ReadonlyArray<RecordedPrice>, at: number): PriceSum => {
  let count = 0
  let sum = 0n
  for (const median of recorded) {
    if (median.at >= at || at - median.at > WINDOW_MILLIS) continue
    count += 1
    sum += median.price
  }
  return { count, sum }
}
