import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"
import { PRODUCT_TYPES } from "./Product.ts"
import type { ProductEvent } from "./ProductEvent.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const act = { at: Schema.Int, userId: Schema.String, companyId: Schema.String, productId: Schema.String }

const facts = {
  name: Schema.String,
  description: Schema.String,
  price: Money,
  type: Schema.Literals(PRODUCT_TYPES),
  insurable: Schema.Boolean,
  bidable: Schema.Boolean,
  isContract: Schema.Boolean
}

const changes = {
  name: Schema.optionalKey(facts.name),
  description: Schema.optionalKey(facts.description),
  price: Schema.optionalKey(facts.price),
  type: Schema.optionalKey(facts.type),
  insurable: Schema.optionalKey(facts.insurable),
  bidable: Schema.optionalKey(facts.bidable),
  isContract: Schema.optionalKey(facts.isContract)
}

const ProductEventSchema: Schema.Codec<ProductEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("ProductListed", { ...act, facts: Schema.Struct(facts), pieces: Schema.Int }),
  Schema.TaggedStruct("ProductRevised", {
    ...act,
    changes: Schema.Struct(changes),
    stock: Schema.NullOr(Schema.Struct({ available: Schema.Int, moved: Schema.Int }))
  })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(ProductEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeProductEvent = (data: string): ProductEvent => fromJson(data)
