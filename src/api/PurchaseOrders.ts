import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OrderObject, OrderSummaryObject } from "../../engine/commerce/OrderObject.ts"
import { FEWEST_INSTALMENTS, MOST_INSTALMENTS, PAYMENT_TERMS } from "../../engine/commerce/PaymentTerms.ts"
import { PURCHASE_ORDER_STATUSES } from "../../engine/commerce/PurchaseOrder.ts"
import { MAX_LINES, MAX_PIECES } from "../../engine/commerce/PurchaseOrderDecision.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { Fast } from "./Conventions.ts"
import { MetadataFilter, NewMetadata } from "./Metadata.ts"
import { AmountFromNumber } from "./Money.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Id = text(1, 64)

const whole = (min: number, max: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum: min, maximum: max }, { expected: `a whole number from ${min} to ${max}` })
  )

const Item = Schema.Struct({
  product_id: Id,
  quantity: whole(1, MAX_PIECES).annotate({ description: "Whole pieces.", format: "int32" })
})

const Terms = Schema.Struct({
  type: Schema.Literals(PAYMENT_TERMS).annotate({
    description: "prepaid is paid before it is fulfilled; the others need a verified KYC record and free credit limit."
  }),
  installments: optional(Schema.Int, {
    description:
      `${FEWEST_INSTALMENTS} to ${MOST_INSTALMENTS} monthly parts: for the type installments, where it is required. ` +
      "Another type takes none; 0 and 1 say so too.",
    format: "int32"
  })
}).check(
  Schema.makeFilter(({ installments = 0, type }) => {
    const isCounted = type === "installments"
    const [fewest, most] = isCounted ? [FEWEST_INSTALMENTS, MOST_INSTALMENTS] : [0, 1]
    if (installments >= fewest && installments <= most) return true
    const issue = isCounted
      ? `Expected a whole number from ${fewest} to ${most} with the type installments`
      : "Expected none: only the type installments takes a count"
    return { path: ["installments"], issue }
  })
)

/** Specification 4.2, POST /v1/orders. */
const NewOrder = Schema.Struct({
  company_id: Id.annotate({ description: "The company that buys: the caller's own, or one that it manages." }),
  items: Schema.Array(Item).check(
    Schema.isMinLength(1, { expected: `1 to ${MAX_LINES} items` }),
    Schema.isMaxLength(MAX_LINES, { expected: `1 to ${MAX_LINES} items` })
  ),
  payment_terms: Terms,
  metadata: NewMetadata
}).annotate({ identifier: "NewPurchaseOrder" })

const HistoryEntry = Schema.Struct({
  number: Schema.Int.annotate({ description: "From 1, without a gap." }),
  type: Schema.Literals([
    "order.created",
    "order.paid",
    "order.fulfilled",
    "order.cancelled",
    "order.payment_due",
    "order.overdue"
  ]),
  at: UtcTimestamp,
  user_id: Schema.NullOr(Schema.String).annotate({ description: "Null where another seller, or nobody, did it." }),
  company_id: Schema.NullOr(Schema.String).annotate({ description: "Null where another seller, or nobody, did it." }),
  amount: Schema.NullOr(AmountFromNumber).annotate({
    description: "USD: of the order, of the payment, or of the instalment; to a seller its own part."
  }),
  installment: Schema.NullOr(Schema.Int).annotate({
    description: "The number of the instalment that is due before long, or overdue."
  }),
  payment_id: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "PurchaseOrderHistoryEntry" })

const params = { id: Id }

const create = HttpApiEndpoint.post("placeOrder", "/v1/orders", {
  payload: NewOrder,
  success: OrderObject,
  error: [wire("not_found"), wire("access_denied"), wire("conflict"), wire("unprocessable"), wire("credit_frozen")]
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Order products of one or several companies",
      description:
        "All or nothing: where one product has too few pieces, 409 names it and how many are left. Each item costs " +
        "what the buyer's price list says, else the product's price. On credit the whole amount is taken from the " +
        "caller's free limit: 422 says how much is free. While something of the company is overdue, nothing new is ordered " +
        "on credit: 422 `credit_frozen` says what to pay."
    })
  )

const list = HttpApiEndpoint.get("listOrders", "/v1/orders", {
  query: {
    role: optional(Schema.Literals(["buyer", "seller"]), {
      description: "Whether the caller's company buys or sells; by default either."
    }),
    status: optional(Schema.Literals(PURCHASE_ORDER_STATUSES)),
    company_id: optional(Id, {
      description: "Instead of the caller's company one that it manages."
    }),
    metadata: MetadataFilter,
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(OrderSummaryObject), { "x-total-count": Schema.FiniteFromString }),
  error: [wire("not_found"), wire("unprocessable")]
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(OpenApi.annotations({ summary: "List the company's orders without their items, newest first" }))

const get = HttpApiEndpoint.get("getOrder", "/v1/orders/:id", {
  params,
  success: OrderObject,
  error: wire("not_found")
})
  .annotate(Fast, true)
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(
    OpenApi.annotations({ summary: "One order, for those who take part in it: a seller sees its own part" })
  )

const pay = HttpApiEndpoint.post("payOrder", "/v1/orders/:id/pay", {
  params,
  payload: Schema.Struct({
    instalments: optional(Schema.Literals(["next", "all"]), {
      description: "The next instalment, or all that is left, which is the default."
    })
  }).annotate({ identifier: "OrderPayment" }),
  success: OrderObject,
  error: [wire("not_found"), wire("access_denied"), wire("conflict"), wire("unprocessable")]
})
  .annotate(Policy, scopes("orders:write", "payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Pay an order from the caller's USD wallet",
      description: "Every seller gets its part at once, and the credit limit is free again by as much."
    })
  )

const acted = [wire("not_found"), wire("access_denied"), wire("conflict")] as const

const fulfil = HttpApiEndpoint.post("fulfilOrder", "/v1/orders/:id/fulfil", {
  params,
  success: OrderObject,
  error: acted
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Say that the caller's company has delivered its items",
      description: "A prepaid order is paid first."
    })
  )

const cancel = HttpApiEndpoint.post("cancelOrder", "/v1/orders/:id/cancel", {
  params,
  payload: Schema.Struct({ reason: optional(lines(1, 500)) }).annotate({ identifier: "OrderCancellation" }),
  success: OrderObject,
  error: acted
})
  .annotate(Policy, scopes("orders:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Cancel an order before anything of it is fulfilled",
      description:
        "For the buyer and each seller. Pieces and credit limit are free again, and every payment goes back to where it " +
        "came from: 409 where a seller has no longer the money."
    })
  )

const history = HttpApiEndpoint.get("getOrderHistory", "/v1/orders/:id/history", {
  params,
  success: Schema.Array(HistoryEntry),
  error: wire("not_found")
})
  .annotate(Policy, scopes("orders:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Who did what to an order, oldest first",
      description: "Nothing of it ever changes."
    })
  )

/** Purchase orders. Specification 4.2. */
export class PurchaseOrdersApi extends HttpApiGroup.make("purchaseOrders")
  .add(create, list, get, pay, fulfil, cancel, history)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Orders", description: "What companies buy of each other." })) {}
