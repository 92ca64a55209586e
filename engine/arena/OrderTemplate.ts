/** What a slot's order offers, and its id, both drawn under the secret key. */

import { DateTime, Result } from "effect"
import * as Amount from "../money/Amount.ts"
import * as Rate from "../money/Rate.ts"
import type { AssetType } from "./AssetType.ts"
import { COMMODITIES, type Commodity, CURRENCIES, type Currency, type Gpu, GPUS } from "./Instrument.ts"
import { drawBelow, hexOf, type KeyedHash } from "./KeyedHash.ts"
import type { Median } from "./Median.ts"
import { writeContract } from "./OptionContract.ts"
import { OPTION_TYPES, premium } from "./OptionPremium.ts"
import type { OrderTerms } from "./OrderTerms.ts"
import type { PriceHistory } from "./PriceHistory.ts"
import { realizedVolatility } from "./RealizedVolatility.ts"

/** What a slot's order offers, before its times and its maker are known. Specification 2.16. */
export type OrderTemplate = Pick<OrderTerms, "orderId" | "assetType" | "asset" | "details" | "quantity" | "entryPrice">

export interface OrderTemplateInput {
  readonly hash: KeyedHash
  readonly slot: number
  readonly assetType: AssetType
  /** Milliseconds since 1970. */
  readonly openedAt: number
  /** The newest median of each asset; those that are not safe are not used. */
  readonly medians: ReadonlyMap<string, Median>
  /** The closes that an option's volatility is taken from. */
  readonly history: PriceHistory
}

/** The least and the most that an order is aimed to be worth, in USD, before its quantity is rounded. */
export const NOTIONAL_USD = [8_000, 12_500] as const

const ID_BYTES = 12
const ONE_HOUR = Amount.ONE
const SMALLEST_LOT = Amount.fromUnits(1n)

/** A frozen volatility carries four decimals. */
const VOLATILITY_UNIT = 100_000_000n

/** `ord_` and 24 hexadecimal digits: the same for the same key, slot and asset type, so an order is made once. */
export const orderIdOf = (hash: KeyedHash, slot: number, assetType: AssetType): string =>
  `ord_${hexOf(hash, `order-id/${slot}/${assetType}`, ID_BYTES)}`

/**
 * The order of a slot: an instrument of its type, drawn under the key among those with a safe median, in a round lot
 * worth about 10,000 USD. An option is written on a commodity at its realized volatility, frozen, and traded at its
 * premium of at least 1 USD.
 *
 * `undefined` when nothing of the type can be offered at these prices.
 */
export const orderTemplate = (input: OrderTemplateInput): OrderTemplate | undefined => {
  const { assetType } = input
  switch (assetType) {
    case "commodity":
      return first(input, COMMODITIES, commodityOffer)
    case "fx":
      return first(input, CURRENCIES, currencyOffer)
    case "gpu":
      return first(input, GPUS, gpuOffer)
    case "options":
      return first(input, COMMODITIES, optionOffer)
  }
}

/** What the order's thing is worth when its asset's median is `price` at `at`: that, or the premium of its option. */
export const orderPrice = (
  { assetType, details }: Pick<OrderTerms, "assetType" | "details">,
  { at, price }: Pick<Median, "at" | "price">
): Amount.Amount =>
  assetType === "options"
    ? premium({
        type: details["type"] === "put" ? "put" : "call",
        spot: price,
        strike: Result.getOrThrow(Amount.fromNumber(Number(details["strike"]))),
        volatility: Result.getOrThrow(Rate.fromNumber(Number(details["implied_volatility"]))),
        remaining: DateTime.makeUnsafe(String(details["expiry"])).epochMilliseconds - at
      })
    : price

/** A median of an order's asset with the order's own price: of options the premium, of others the median as it is. */
export const orderMedian = (terms: Pick<OrderTerms, "assetType" | "details">, median: Median): Median => {
  const price = orderPrice(terms, median)
  return price === median.price ? median : { ...median, price }
}

type Offer = Pick<OrderTemplate, "details" | "quantity" | "entryPrice">

const drawOf = ({ assetType, hash, slot }: OrderTemplateInput, what: string, bound: number): number =>
  drawBelow(hash, `order-terms/${slot}/${assetType}/${what}`, bound)

/** The drawn instrument's offer, else that of the next one that has an offer. */
const first = <I extends Currency | Commodity | Gpu>(
  input: OrderTemplateInput,
  instruments: ReadonlyArray<I>,
  offer: (input: OrderTemplateInput, instrument: I, price: Amount.Amount) => Offer | undefined
): OrderTemplate | undefined => {
  const from = drawOf(input, "asset", instruments.length)
  for (const instrument of [...instruments.slice(from), ...instruments.slice(0, from)]) {
    const median = input.medians.get(instrument.asset)
    if (median === undefined || !median.safe || median.price <= 0n) continue
    const offered = offer(input, instrument, median.price)
    if (offered === undefined) continue
    const { assetType, hash, slot } = input
    return { orderId: orderIdOf(hash, slot, assetType), assetType, asset: instrument.asset, ...offered }
  }
  return undefined
}

const commodityOffer = (input: OrderTemplateInput, { asset, name, unit }: Commodity, price: Amount.Amount): Offer => ({
  details: { symbol: asset, name, unit },
  quantity: quantityAt(input, price, SMALLEST_LOT),
  entryPrice: price
})

const currencyOffer = (input: OrderTemplateInput, { asset }: Currency, price: Amount.Amount): Offer => ({
  details: { pair: asset },
  quantity: quantityAt(input, price, SMALLEST_LOT),
  entryPrice: price
})

const gpuOffer = (input: OrderTemplateInput, { asset, provider, region }: Gpu, price: Amount.Amount): Offer => {
  const quantity = quantityAt(input, price, ONE_HOUR)
  return {
    details: { model: asset, provider, region, hours: Amount.toNumber(quantity) },
    quantity,
    entryPrice: price
  }
}

const optionOffer = (input: OrderTemplateInput, { asset }: Commodity, spot: Amount.Amount): Offer | undefined => {
  const closes = input.history.closes.get(asset)
  if (closes === undefined) return undefined
  const volatility = Rate.fromUnits((realizedVolatility(closes) / VOLATILITY_UNIT) * VOLATILITY_UNIT)
  const type = OPTION_TYPES[drawOf(input, "type", OPTION_TYPES.length)] ?? "call"
  const contract = writeContract(type, spot, volatility, input.openedAt)
  if (contract === undefined) return undefined
  return {
    details: {
      underlying: asset,
      type,
      strike: Amount.toNumber(contract.strike),
      expiry: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(contract.expiryAt)),
      implied_volatility: Rate.toNumber(volatility)
    },
    quantity: quantityAt(input, contract.premium, SMALLEST_LOT),
    entryPrice: contract.premium
  }
}

/** A drawn notional's worth in lots of two significant digits, to the nearest, at least one `lot`. */
const quantityAt = (input: OrderTemplateInput, price: Amount.Amount, lot: Amount.Amount): Amount.Amount => {
  const [least, most] = NOTIONAL_USD
  const notional = BigInt(least + drawOf(input, "notional", most - least)) * Amount.ONE
  const exact = (notional * Amount.ONE) / price
  let tick: bigint = lot
  while (tick * 100n <= exact) tick *= 10n
  const rounded = ((2n * exact + tick) / (2n * tick)) * tick
  return Amount.fromUnits(rounded < lot ? lot : rounded > Amount.MAX ? Amount.MAX : rounded)
}
