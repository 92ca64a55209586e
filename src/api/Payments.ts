import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CAPTURE_MODES, EXTENTS, PAYMENT_PROVIDERS } from "../../engine/payments/PaymentPlan.ts"
import { PaymentObject } from "../../engine/payments/PaymentObject.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { MetadataFilter, NewMetadata } from "./Metadata.ts"
import { PositiveAmountFromNumber } from "./Money.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"

const MAX_ID = 64

const Id = text(1, MAX_ID)
const Provider = Schema.Literals(PAYMENT_PROVIDERS)
const Extent = Schema.Literals(EXTENTS)
const Capture = Schema.Literals(CAPTURE_MODES)

const PaymentRequest = Schema.Struct({
  order_id: Id.annotate({ description: "The order to pay, which the caller's company placed." }),
  provider: Provider.annotate({
    description: "`wallet`: the caller's USD fund. `sandbox-card`: a test card, in the sandbox alone. `stripe`: a card."
  }),
  instrument: optional(text(1, MAX_ID), {
    description:
      "What to pay with: the number of a documented test card, or the id of a Stripe payment method. Never the number of a real card."
  }),
  extent: optional(Extent, {
    description: "The next instalment, or all that is left: the default."
  }),
  capture: optional(Capture, {
    description: "`manual` only authorizes; POST /v1/payments/{id}/capture takes it. By default `automatic`."
  }),
  metadata: NewMetadata
}).annotate({ identifier: "PaymentRequest" })

const RefundRequest = Schema.Struct({
  amount: optional(PositiveAmountFromNumber, {
    description: "USD, more than 0. By default all that the caller's company can give back."
  })
}).annotate({ identifier: "RefundRequest" })

const create = HttpApiEndpoint.post("createPayment", "/v1/payments", {
  payload: PaymentRequest,
  success: PaymentObject,
  error: [wire("invalid_request"), wire("access_denied"), wire("not_found"), wire("conflict"), wire("unprocessable")]
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Pay an order",
      description:
        "Answers the payment as the provider left it: `captured`, `authorized` (manual capture), `failed` with its reason, " +
        "or `processing` where the provider has not answered. A provider is asked again under the same key, never charged twice."
    })
  )

const list = HttpApiEndpoint.get("listPayments", "/v1/payments", {
  query: {
    order_id: optional(Id, { description: "The payments of one order; to its sellers their shares of them." }),
    metadata: MetadataFilter,
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(PaymentObject), { "x-total-count": Schema.FiniteFromString }),
  error: wire("unprocessable")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "List the company's payments, newest first" }))

const get = HttpApiEndpoint.get("getPayment", "/v1/payments/:id", {
  params: { id: Id },
  success: PaymentObject,
  error: wire("not_found")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "One payment",
      description: "For the company that pays; for those that are paid, once the order has it, their own share."
    })
  )

const acts = [
  wire("invalid_request"),
  wire("access_denied"),
  wire("not_found"),
  wire("conflict"),
  wire("unprocessable")
] as const

const capture = HttpApiEndpoint.post("capturePayment", "/v1/payments/:id/capture", {
  params: { id: Id },
  success: PaymentObject,
  error: acts
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Take an authorized payment",
      description: "All of it, once, for its payer's company."
    })
  )

const cancel = HttpApiEndpoint.post("voidPayment", "/v1/payments/:id/void", {
  params: { id: Id },
  success: PaymentObject,
  error: acts
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Let an authorized payment go",
      description: "Nothing was taken. For its payer's company."
    })
  )

const refund = HttpApiEndpoint.post("refundPayment", "/v1/payments/:id/refund", {
  params: { id: Id },
  payload: RefundRequest,
  success: PaymentObject,
  error: acts
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Give money back to the instrument that paid",
      description:
        "For a company that was paid, once something of the order is fulfilled; before, cancel the order. The caller's " +
        "company gives back from the wallet that was paid, in parts as it likes, never more than that wallet was given."
    })
  )

/** Payments of orders. An extension. */
export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(create, list, get, capture, cancel, refund)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Payments", description: "Paying orders by wallet or card." })) {}
