import { Schema, Struct } from "effect"
import { ProductFacts } from "./ProductFacts.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Who acted: the user behind the request, and its company. */
const act = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  userId: Schema.String,
  companyId: Schema.String,
  productId: Schema.String
}

/** A company offers a product, and has so many pieces of it. */
export const ProductListed = Schema.TaggedStruct("ProductListed", {
  ...act,
  facts: ProductFacts,
  /** Whole pieces, from 0. */
  pieces: Schema.Int
})
export type ProductListed = typeof ProductListed.Type

/** How many pieces came in, or went out where it is negative, so that so many are available. */
export const Restock = Schema.Struct({
  available: Schema.Int,
  moved: Schema.Int
})
export type Restock = typeof Restock.Type

/** The seller changed what it says of a product, or how many pieces are available. */
export const ProductRevised = Schema.TaggedStruct("ProductRevised", {
  ...act,
  changes: ProductFacts.mapFields(Struct.map(Schema.optionalKey)),
  /** Null where the stock stays as it is. */
  stock: Schema.NullOr(Restock)
})
export type ProductRevised = typeof ProductRevised.Type

export const ProductEvent = Schema.Union([ProductListed, ProductRevised])
export type ProductEvent = typeof ProductEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeProductEvent = eventDecoder(ProductEvent)
