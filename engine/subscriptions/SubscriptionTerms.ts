/** What buyer and seller agree on when a subscription begins. */

import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { Amount } from "../money/Amount.ts"
import { INTERVALS } from "./Period.ts"

/** One side of a subscription: a company, and the user whose USD wallet pays or is paid. */
export const Side = Schema.Struct({
  companyId: Schema.String,
  userId: Schema.String
})
export type Side = typeof Side.Type

/** What was agreed; it never changes, whatever becomes of the product's price. */
export const SubscriptionTerms = Schema.Struct({
  subscriptionId: Schema.String,
  buyer: Side,
  seller: Side,
  productId: Schema.String,
  /** Whole pieces a period. */
  quantity: Schema.Int,
  /** USD for a piece, more than 0. */
  unitPrice: Amount,
  every: Schema.Literals(INTERVALS),
  /** How many periods there are; null without an end. */
  periods: Schema.NullOr(Schema.Int),
  /** When the first period is due, in milliseconds since 1970. */
  startAt: Schema.Int,
  /** What the buyer keeps with it. */
  metadata: Schema.optionalKey(Metadata)
})
export type SubscriptionTerms = typeof SubscriptionTerms.Type
