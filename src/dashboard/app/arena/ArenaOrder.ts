import { Result } from "effect"
import type { AssetType } from "../../../../engine/arena/AssetType.ts"
import { orderPrice } from "../../../../engine/arena/OrderTemplate.ts"
import { pricedAsset } from "../../../../engine/market/PublishedAuction.ts"
import * as Amount from "../../../../engine/money/Amount.ts"
import type { Answer } from "../Contract.ts"
import { millisOf } from "../ui/Format.ts"

/** An order with its commitments as everybody may see it. */
export type ArenaOrder = Answer<"GET /api/arena/orders/:order_id">["order"]

/** One bid on an order. */
export type ArenaBid = ArenaOrder["commitments"][number]

/** When an order opened, closes and settles, in milliseconds since 1970. */
export interface OrderTimes {
  readonly openedAt: number
  readonly expiryAt: number
  readonly settlementAt: number
}

/** The times of an order. */
export const timesOf = (order: Pick<ArenaOrder, "opened_at" | "expiry_date" | "settlement_date">): OrderTimes => ({
  openedAt: millisOf(order.opened_at),
  expiryAt: millisOf(order.expiry_date),
  settlementAt: millisOf(order.settlement_date)
})

type Described = Pick<ArenaOrder, "asset_type" | "asset_details">

const detail = ({ asset_details: details }: Described, name: string): string => String(details[name] ?? "")

/** What an order is about, for a heading: `EUR/USD`, `XAU`, `H100-SXM`, `BTC call 61000`. */
export const assetName = (order: Described): string =>
  order.asset_type === "options"
    ? `${pricedAsset(order)} ${detail(order, "type")} ${detail(order, "strike")}`
    : pricedAsset(order)

/** What stands under the name: `Gold, troy ounce`, `us-west, 12 h`, `expires 2026-12-18`. */
export const assetNote = (order: Described): string => {
  switch (order.asset_type) {
    case "commodity":
      return `${detail(order, "name")}, ${detail(order, "unit")}`
    case "fx":
      return "Exchange rate"
    case "gpu":
      return `${detail(order, "hours")} hours in ${detail(order, "region")}`
    case "options":
      return `Expires ${detail(order, "expiry")}`
  }
}

/** What one unit is worth when the asset's price is this: of an option its premium. Undefined where it has none. */
export const unitPrice = (order: Described, price: number, at: number): number | undefined => {
  if (order.asset_type !== "options") return price
  const spot = Amount.fromNumber(price)
  if (Result.isFailure(spot) || spot.success === Amount.ZERO) return undefined
  const { asset_details: details, asset_type: assetType } = order
  return Amount.toNumber(orderPrice({ assetType, details }, { at, price: spot.success }))
}

/** The asset types by the names that people give them. */
export const ASSET_TYPE_NAMES: Readonly<Record<AssetType, string>> = {
  commodity: "Commodity",
  fx: "Currency",
  options: "Option",
  gpu: "GPU hours"
}
