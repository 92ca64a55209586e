import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MAX_STOCK } from "../../engine/commerce/Product.ts"
import { PRODUCT_TYPES } from "../../engine/commerce/ProductFacts.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { Fast } from "./Conventions.ts"
import { Metadata, MetadataChange, MetadataFilter, NewMetadata } from "./Metadata.ts"
import { AmountFromNumber, PositiveAmountFromNumber } from "./Money.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const PIECES = `a whole number as text from 0 to ${MAX_STOCK}`

/** Whole pieces as text. */
export const Pieces = Schema.String.annotate({ description: PIECES }).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transformEffect({
      decode: (written, options) => {
        const count = /^(0|[1-9]\d{0,9})$/.test(written) ? Number(written) : Number.NaN
        return count <= MAX_STOCK
          ? Effect.succeed(count)
          : Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${PIECES}` }, written, options))
      },
      encode: (count: number) => Effect.succeed(String(count))
    })
  )
)

/** USD for one piece: more than 0. */
export const Price = PositiveAmountFromNumber

const Name = text(1, 200)
const Description = lines(1, 4_000)
const Type = Schema.Literals(PRODUCT_TYPES)

/** Specification 2.7. */
const NewProduct = Schema.Struct({
  name: Name,
  price: Price.annotate({ description: "USD for one piece, more than 0." }),
  description: Description,
  quantity: Pieces.annotate({ description: "How many are for sale: a whole number as text." }),
  insurable: optional(Schema.Boolean, { description: "By default false." }),
  bidable: optional(Schema.Boolean, { description: "By default false." }),
  iscontract: optional(Schema.Boolean, {
    description: "Opens to forwards and futures. By default false."
  }),
  type: optional(Type, { description: "By default Consumer Product." }),
  metadata: NewMetadata
}).annotate({ identifier: "NewProduct" })

const ProductChange = Schema.Struct({
  name: optional(Name),
  price: optional(Price),
  description: optional(Description),
  quantity: optional(Pieces, { description: "How many are to be for sale from now on." }),
  insurable: optional(Schema.Boolean),
  bidable: optional(Schema.Boolean),
  iscontract: optional(Schema.Boolean),
  type: optional(Type),
  metadata: MetadataChange
}).annotate({ identifier: "ProductChange" })

const fields = {
  id: Schema.String,
  company_id: Schema.String.annotate({ description: "Extension: the seller." }),
  name: Schema.String,
  price: AmountFromNumber.annotate({ description: "USD for one piece." }),
  description: Schema.String,
  quantity: Pieces.annotate({ description: "How many are for sale: a whole number as text." }),
  available: Schema.Boolean.annotate({ description: "Extension: whether any is for sale." }),
  reserved: Pieces.annotate({ description: "Extension: how many orders have taken that are not fulfilled." }),
  insurable: Schema.Boolean,
  bidable: Schema.Boolean,
  iscontract: Schema.Boolean,
  type: Type,
  metadata: Metadata,
  created_at: UtcTimestamp.annotate({ description: "Extension." }),
  updated_at: UtcTimestamp.annotate({ description: "Extension." })
}

/** A product. Specification 2.7. */
export const ProductAnswer = Schema.Struct(fields).annotate({ identifier: "Product" })

/** Products as a list answers them. */
export const ProductsAnswer = Schema.Array(ProductAnswer)

/** A product as one customer may buy it. */
export const CatalogEntry = Schema.Struct({
  ...fields,
  price: AmountFromNumber.annotate({ description: "USD for one piece, for the caller's company." }),
  list_price: AmountFromNumber.annotate({ description: "USD for one piece, for whoever has no price of its own." }),
  price_list_id: Schema.NullOr(Schema.String).annotate({ description: "The seller's price list that the price is of." })
}).annotate({ identifier: "CatalogEntry" })

const Flag = Schema.Literals(["true", "false"])

const filters = {
  company_id: optional(text(1, 64), { description: "Extension: of one seller." }),
  type: optional(Type, { description: "Extension." }),
  bidable: optional(Flag, { description: "Extension." }),
  iscontract: optional(Flag, { description: "Extension." }),
  q: optional(text(1, 100), {
    description: "Extension: a part of the name or the description, in whatever case."
  }),
  metadata: MetadataFilter,
  ...pageQuery
}

const total = { "x-total-count": Schema.FiniteFromString }

const create = HttpApiEndpoint.post("createProduct", "/v1/commerce/products", {
  payload: NewProduct,
  success: ProductAnswer,
  error: wire("conflict")
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Offer a product",
      description: "The caller's company sells it, and it is paid into the caller's USD wallet."
    })
  )

const list = HttpApiEndpoint.get("listProducts", "/v1/commerce/products", {
  query: filters,
  success: HttpApiSchema.WithHeaders(ProductsAnswer, total)
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(OpenApi.annotations({ summary: "List products, oldest first" }))

const get = HttpApiEndpoint.get("getProduct", "/v1/commerce/products/:id", {
  params: { id: text(1, 64) },
  success: ProductAnswer,
  error: wire("not_found")
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(OpenApi.annotations({ summary: "One product" }))

const update = HttpApiEndpoint.put("updateProduct", "/v1/commerce/products/:id", {
  params: { id: text(1, 64) },
  payload: ProductChange,
  success: ProductAnswer,
  error: [wire("not_found"), wire("access_denied"), wire("conflict"), wire("unprocessable"), wire("unavailable")]
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a product of one's company",
      description:
        "Any of the fields; the others stay. quantity sets how many are for sale: 409 for more than 0 where whoever listed it, " +
        "and is paid for it, was erased or is a deleted API client. Orders that stand keep the price that they were placed at."
    })
  )

const catalog = HttpApiEndpoint.get("listCatalog", "/v1/commerce/catalog", {
  query: {
    customer_company_id: optional(text(1, 64), {
      description: "Instead of the caller's company one that it manages."
    }),
    ...filters
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(CatalogEntry), total),
  error: wire("not_found")
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "List what the caller's company can buy, oldest first",
      description: "The products of all other companies, each at the price that an order of the customer is charged."
    })
  )

/** Products, and what they cost whom. Specification 2.7, 4.2. */
export class ProductsApi extends HttpApiGroup.make("products")
  .add(create, list, get, update, catalog)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Products", description: "What companies sell." })) {}
