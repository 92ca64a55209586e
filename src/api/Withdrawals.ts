import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { Holding, Units } from "./Funds.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

/** A request to take money out. Specification 2.11. */
export const WithdrawRequest = Schema.Struct({
  quantity: Units.annotate({ description: "How many units: a positive decimal number as text." }),
  id: optional(text(1, 64), { description: "The fund; by default the caller's fund of USD." })
}).annotate({ identifier: "WithdrawRequest" })

/** What was taken out. Specification 2.11. */
export const WithdrawAnswer = Schema.Struct({ quantity: Holding, id: Schema.String }).annotate({
  identifier: "Withdraw"
})

/** A withdrawal of the past. */
export const WithdrawalAnswer = Schema.Struct({
  id: Schema.String,
  fund_id: Schema.String,
  type: Schema.String,
  quantity: Holding,
  created_at: UtcTimestamp
}).annotate({ identifier: "Withdrawal" })

const create = HttpApiEndpoint.post("withdraw", "/v1/withdraw", {
  payload: WithdrawRequest,
  success: WithdrawAnswer,
  error: [wire("invalid_request"), wire("access_denied"), wire("not_found"), wire("unprocessable"), wire("unavailable")]
})
  .annotate(Policy, scopes("payments:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Take money out of a fund",
      description: "At most what nothing reserves, out of a fund of the caller's own. Needs a verified account."
    })
  )

const list = HttpApiEndpoint.get("listWithdrawals", "/v1/withdraw", {
  query: pageQuery,
  success: HttpApiSchema.WithHeaders(Schema.Array(WithdrawalAnswer), { "x-total-count": Schema.FiniteFromString })
})
  .annotate(Policy, scopes("payments:read"))
  .annotateMerge(OpenApi.annotations({ summary: "The caller's withdrawals, newest first" }))

/** Money that its owner takes out. Specification 2.11, 4.2. */
export class WithdrawalsApi extends HttpApiGroup.make("withdrawals")
  .add(create, list)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Withdrawals", description: "Money that its owner takes out." })) {}
