import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BANDS } from "../../engine/credit/CreditPolicy.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { Dollars } from "./Currency.ts"
import { AmountFromNumber, PositiveAmountFromNumber } from "./Money.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

/** Why terms cannot be had. */
export const TERMS_REASONS = {
  not_assessed: "There is no score card yet: request one with POST /v1/credit/request.",
  kyc_required: "Buying on credit needs a verified KYC record: submit it with POST /v1/kyc.",
  overdue: "Something of the company is overdue: pay it first.",
  limit_too_small: "The free credit limit is smaller than the amount.",
  amount_too_small: "Each instalment is at least 0.01 USD."
} as const

/** What is to be bought. */
const TermsRequest = Schema.Struct({
  company_id: text(1, 64).annotate({ description: "The caller's company, or one that it manages." }),
  amount: PositiveAmountFromNumber.annotate({ description: "What is to be paid." }),
  currency: Dollars.annotate({ description: "USD, in any case: products are priced in it." })
}).annotate({ identifier: "PaymentTermsRequest" })

const Reason = Schema.Struct({
  code: Schema.Literals(["not_assessed", "kyc_required", "overdue", "limit_too_small", "amount_too_small"]),
  text: Schema.String
})

const Offer = Schema.Struct({
  type: Schema.Literals(["prepaid", "net_30", "net_60", "installments"]),
  installments: Schema.optionalKey(Schema.Int).annotate({ description: "2 to 12, with type installments alone." }),
  available: Schema.Boolean,
  reasons: Schema.Array(Reason).annotate({ description: "Why it is not available; empty where it is." }),
  apr: Schema.Finite.annotate({ description: "Percent a year that the terms cost: orders carry no interest." }),
  total: AmountFromNumber.annotate({ description: "All that is paid." }),
  schedule: Schema.Array(
    Schema.Struct({ number: Schema.Int, amount: AmountFromNumber, due_at: UtcTimestamp })
  ).annotate({ description: "What would be due when, for an order placed now. It sums to the total." })
}).annotate({ identifier: "PaymentTermsOffer" })

/** The terms on which an amount can be paid. */
export const PaymentTermsAnswer = Schema.Struct({
  company_id: Schema.String,
  amount: AmountFromNumber,
  currency: Schema.Literal("USD"),
  score: Schema.NullOr(Schema.Int).annotate({ description: "Of the caller's last score card; null without one." }),
  band: Schema.NullOr(Schema.Literals(BANDS)),
  apr: Schema.NullOr(Schema.Finite).annotate({ description: "The card's, in percent a year." }),
  free_limit: AmountFromNumber.annotate({ description: "USD that the caller may still owe." }),
  terms: Schema.Array(Offer)
}).annotate({ identifier: "PaymentTermsOffers" })

const offer = HttpApiEndpoint.post("offerPaymentTerms", "/v1/payments/terms", {
  payload: TermsRequest,
  success: PaymentTermsAnswer,
  error: wire("access_denied")
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "The terms on which an amount can be paid",
      description:
        "From the caller's score card, its free credit limit, its KYC record and what of the company is overdue. Nothing is " +
        "reserved."
    })
  )

/** What credit offers a buyer. Specification 4.2. */
export class PaymentTermsApi extends HttpApiGroup.make("paymentTerms")
  .add(offer)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Payment terms", description: "How an amount can be paid, before it is ordered." })
  ) {}
