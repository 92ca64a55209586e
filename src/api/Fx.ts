import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SIDES } from "../../engine/fx/FxDesk.ts"
import { wire } from "./ApiError.ts"
import { admin, Authorization, Policy, scopes } from "./Authorization.ts"
import { Currency } from "./Currency.ts"
import { Pair, RateFromNumber } from "./ExchangeRate.ts"
import { Holding, Reference, Units } from "./Funds.ts"
import { AmountFromNumber, PositiveAmountFromNumber } from "./Money.ts"
import { optional } from "./Optional.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Side = Schema.Literals(SIDES)

/** What a rate is wanted for. Specification 2.14, FX. */
export const QuoteRequest = Schema.Struct({
  pair: Pair,
  trade: optional(Side, {
    description: "Sell by default: the base is sold for the quote. Buy: the base is bought with it."
  }),
  quantity: PositiveAmountFromNumber.annotate({ description: "Units of the base, more than 0." })
}).annotate({ identifier: "FxQuoteRequest" })

/** A held rate. */
export const QuoteAnswer = Schema.Struct({
  id: Schema.String,
  pair: Pair,
  trade: Side,
  quantity: AmountFromNumber,
  rate: RateFromNumber,
  value: Holding.annotate({ description: "Units of the quote that the owner gets (Sell) or gives (Buy), as text." }),
  created_at: UtcTimestamp,
  expires_at: UtcTimestamp,
  used: Schema.Boolean
}).annotate({ identifier: "FxQuote" })

/** What the desk has of an asset. */
export const DeskHolding = Schema.Struct({ type: Schema.String, symbol: Holding }).annotate({
  identifier: "FxDeskHolding"
})

const quote = HttpApiEndpoint.post("createFxQuote", "/v1/fx/quotes", {
  payload: QuoteRequest,
  success: QuoteAnswer,
  error: [wire("invalid_request"), wire("unprocessable"), wire("unavailable")]
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Hold an exchange rate",
      description:
        "For 60 seconds, for one transfer of this pair and quantity by the caller, which names it as quote_id. 503 " +
        "where there is no fresh price."
    })
  )

const getQuote = HttpApiEndpoint.get("getFxQuote", "/v1/fx/quotes/:id", {
  params: { id: text(1, 64) },
  success: QuoteAnswer,
  error: wire("not_found")
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "One held rate" }))

const getDesk = HttpApiEndpoint.get("getFxDesk", "/v1/fx/desk", {
  success: Schema.Array(DeskHolding)
})
  .annotate(Policy, admin)
  .annotateMerge(OpenApi.annotations({ summary: "What the desk can pay out" }))

const fundDesk = HttpApiEndpoint.post("fundFxDesk", "/v1/fx/desk", {
  payload: Schema.Struct({
    type: Currency,
    symbol: Units,
    external_reference: Reference.annotate({ description: "What the money stands for outside. Taken once." })
  }).annotate({ identifier: "FxDeskFunding" }),
  success: DeskHolding,
  error: [wire("invalid_request"), wire("conflict")]
})
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Add to what the desk can pay out",
      description: "For administrators. Written to the audit log."
    })
  )

/** Rates that are held, and the desk behind them. */
export class FxApi extends HttpApiGroup.make("fx")
  .add(quote, getQuote, getDesk, fundDesk)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Foreign exchange", description: "Rates that are held, and the desk behind them." })
  ) {}
