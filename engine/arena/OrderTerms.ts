/** What an order of the arena offers. */

import { Schema } from "effect"
import { AccountId } from "../ledger/Account.ts"
import { Amount } from "../money/Amount.ts"
import { ASSET_TYPES } from "./AssetType.ts"

/** One attribute of what an order trades. */
export const AssetDetails = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number]))
export type AssetDetails = typeof AssetDetails.Type

/** The market maker that sells. */
export const Maker = Schema.Struct({
  owner: Schema.String,
  address: Schema.String,
  account: AccountId
})
export type Maker = typeof Maker.Type

/** What an order offers; it never changes. Specification 2.16. */
export const OrderTerms = Schema.Struct({
  orderId: Schema.String,
  assetType: Schema.Literals(ASSET_TYPES),
  /** The instrument whose median prices it: itself, or an option's underlying. */
  asset: Schema.String,
  details: AssetDetails,
  quantity: Amount,
  /** The safe median at opening, USD for one unit. */
  entryPrice: Amount,
  /** Milliseconds since 1970. */
  openedAt: Schema.Int,
  expiryAt: Schema.Int,
  settlementAt: Schema.Int,
  maker: Maker,
  /** SHA-256 of the tie key, which is published at settlement. */
  tieKeyHash: Schema.String,
  /**
   * By how much below the reference the market maker sells, in 10⁻⁶ of it: with it bids float with the reference.
   * Orders opened before there was one have none, and are chosen as they were then. See `BidPricing`.
   */
  makerDiscount: Schema.optionalKey(Amount)
})
export type OrderTerms = typeof OrderTerms.Type
