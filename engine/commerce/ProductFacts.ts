import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { Amount } from "../money/Amount.ts"

export const PRODUCT_TYPES = ["Commodity", "Consumer Product"] as const
export type ProductType = (typeof PRODUCT_TYPES)[number]

/** What a seller says of a product. Specification 2.7. */
export const ProductFacts = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  /** USD for one piece, more than 0. */
  price: Amount,
  type: Schema.Literals(PRODUCT_TYPES),
  insurable: Schema.Boolean,
  bidable: Schema.Boolean,
  /** Open to forwards and futures. */
  isContract: Schema.Boolean,
  metadata: Schema.optionalKey(Metadata)
})
export type ProductFacts = typeof ProductFacts.Type
