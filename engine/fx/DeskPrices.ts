/** What the exchange desk takes an asset for: its price in USD, and how much that moves. */

import { type Instrument, RATED } from "../arena/Instrument.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { realizedVolatility } from "../arena/RealizedVolatility.ts"
import type { Amount } from "../money/Amount.ts"
import { ONE as PARITY, type Rate, ZERO as NOTHING } from "../money/Rate.ts"
import type { CurrencyPair } from "./CurrencyPair.ts"
import { spreadOf, unitPrice } from "./FxDesk.ts"

/** What the two assets of a pair cost in USD now, and what the desk keeps of a rate between them. */
export interface DeskPrices {
  readonly base: Rate
  readonly quote: Rate
  readonly spread: Rate
}

/** A price that is fresh, and whether it is a simulated one. */
export interface FreshPrice {
  readonly price: Amount
  readonly simulated: boolean
}

/** What the desk looks at. */
export interface DeskView {
  /** The fresh price of an instrument; undefined where there is none. */
  readonly fresh: (asset: string) => FreshPrice | undefined
  readonly history: PriceHistory
  /** Whether a circuit breaker doubts the prices of a type. */
  readonly isOpen: (type: AssetType) => boolean
  /** Market seconds that pass in a second of simulated prices. */
  readonly walkSpeed: number
}

/** The instrument of an asset that a fund can hold, by the asset's symbol. */
export const deskInstruments: ReadonlyMap<string, Instrument> = new Map(
  RATED.map((instrument) => [
    instrument.assetType === "fx" ? instrument.code.toUpperCase() : instrument.asset,
    instrument
  ])
)

/** An asset's price in USD, and how much it moves in a year. */
interface Priced {
  readonly price: Rate
  readonly volatility: Rate
  readonly simulated: boolean
}

const DOLLAR: Priced = { price: PARITY, volatility: NOTHING, simulated: false }

const pricedOf = (asset: string, { fresh, history, isOpen }: DeskView): Priced | undefined => {
  if (asset === "USD") return DOLLAR
  const instrument = deskInstruments.get(asset)
  const median = instrument === undefined ? undefined : fresh(instrument.asset)
  const closes = history.closes.get(instrument?.asset ?? "")
  if (instrument === undefined || median === undefined || closes === undefined) return undefined
  if (isOpen(instrument.assetType)) return undefined
  const price = unitPrice(median.price, instrument.per)
  return price > 0n ? { price, volatility: realizedVolatility(closes), simulated: median.simulated } : undefined
}

/** The desk's prices of a pair: undefined without a fresh price of both, or while a circuit breaker doubts one of them. */
export const deskPrices = (pair: CurrencyPair, view: DeskView): DeskPrices | undefined => {
  const base = pricedOf(pair.base, view)
  const quote = pricedOf(pair.quote, view)
  if (base === undefined || quote === undefined) return undefined
  const speed = base.simulated || quote.simulated ? view.walkSpeed : 1
  const spread = spreadOf([base.volatility, quote.volatility], speed)
  return spread === undefined ? undefined : { base: base.price, quote: quote.price, spread }
}
