import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { AmountFromNumber } from "./Money.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { Price } from "./Products.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

/** The most prices of one list. */
export const MAX_PRICES = 1_000

const Id = text(1, 64)

const NewPrice = Schema.Struct({
  product_id: Id,
  price: Price.annotate({ description: "USD for one piece, more than 0." })
})

const Prices = Schema.Array(NewPrice).check(
  Schema.isMaxLength(MAX_PRICES, { expected: `at most ${MAX_PRICES} prices` }),
  Schema.makeFilter(
    (prices) => new Set(prices.map((one) => one.product_id)).size === prices.length || "Expected each product once"
  )
)

const NewPriceList = Schema.Struct({
  customer_company_id: Id.annotate({
    description: "The company that it is for. Whether there is one of this id is not told."
  }),
  name: text(1, 200),
  prices: Prices
}).annotate({ identifier: "NewPriceList" })

const PriceListChange = Schema.Struct({
  name: optional(text(1, 200)),
  prices: optional(Prices, { description: "All of them: what is not here is gone." })
}).annotate({ identifier: "PriceListChange" })

export const PriceListAnswer = Schema.Struct({
  id: Schema.String,
  company_id: Schema.String.annotate({ description: "The seller." }),
  customer_company_id: Schema.String,
  name: Schema.String,
  prices: Schema.Array(Schema.Struct({ product_id: Schema.String, price: AmountFromNumber })),
  created_at: UtcTimestamp,
  updated_at: UtcTimestamp
}).annotate({ identifier: "PriceList" })

const params = { id: Id }

const create = HttpApiEndpoint.post("createPriceList", "/v1/commerce/price-lists", {
  payload: NewPriceList,
  success: PriceListAnswer,
  error: [wire("not_found"), wire("conflict"), wire("unprocessable"), wire("unavailable")]
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Give a customer prices of its own",
      description:
        "For products of the caller's company. A customer has one price for a product: another list with the same " +
        "product for the same customer is refused with 409."
    })
  )

const list = HttpApiEndpoint.get("listPriceLists", "/v1/commerce/price-lists", {
  query: { customer_company_id: optional(Id), ...pageQuery },
  success: HttpApiSchema.WithHeaders(Schema.Array(PriceListAnswer), { "x-total-count": Schema.FiniteFromString })
})
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "List the company's price lists, oldest first",
      description: "Administrators list all companies'."
    })
  )

const get = HttpApiEndpoint.get("getPriceList", "/v1/commerce/price-lists/:id", {
  params,
  success: PriceListAnswer,
  error: wire("not_found")
})
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(OpenApi.annotations({ summary: "One price list" }))

const update = HttpApiEndpoint.put("updatePriceList", "/v1/commerce/price-lists/:id", {
  params,
  payload: PriceListChange,
  success: PriceListAnswer,
  error: [wire("not_found"), wire("conflict"), wire("unavailable")]
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a price list",
      description: "Holds for every order that is placed after the answer."
    })
  )

const remove = HttpApiEndpoint.delete("deletePriceList", "/v1/commerce/price-lists/:id", {
  params,
  success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
  error: [wire("not_found"), wire("unavailable")]
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(OpenApi.annotations({ summary: "Delete a price list", description: "The products' own prices hold." }))

/** What a seller's products cost one customer. */
export class PriceListsApi extends HttpApiGroup.make("priceLists")
  .add(create, list, get, update, remove)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Price lists", description: "Prices for one customer. The seller alone sees them." })
  ) {}
