import { Result, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MAX_DESCRIPTION, MAX_LOAN, MAX_PURPOSE, readApplication } from "../../engine/credit/CreditApplication.ts"
import type { CreditRequest as Asked } from "../../engine/credit/CreditApplication.ts"
import { MOST_ASSESSMENTS_A_DAY, MOST_COMPANY_ASSESSMENTS_A_DAY } from "../../engine/credit/CreditDecision.ts"
import { BANDS } from "../../engine/credit/CreditPolicy.ts"
import { HIGHEST_SCORE, LOWEST_SCORE } from "../../engine/credit/DefaultProbability.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { documented } from "./DocumentedBounds.ts"
import { AmountFromNumber, MAX_NUMBER } from "./Money.ts"
import { pageQuery } from "./Paging.ts"
import { lines, text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

/** A request whose every field can be taken. */
const TAKEN: Asked = { annualIncome: 1, homeOwnership: true, empLength: "1", loanAmt: 1, purpose: "personal", desc: "" }

/** Takes what the engine takes in a field, and says what it says of anything else. */
const taken = <K extends keyof Asked>(field: K) =>
  Schema.makeFilter((value: Asked[K]) => {
    const read = readApplication({ ...TAKEN, [field]: value })
    return Result.isSuccess(read) || `Expected ${read.failure.expected}`
  })

/** Specification 2.8: every field is required, and no others are taken. */
export const CreditRequest = Schema.Struct({
  annualIncome: Schema.Finite.annotate({ description: "USD a year.", format: "double" }).check(
    documented({ minimum: 0, maximum: MAX_NUMBER }),
    taken("annualIncome")
  ),
  homeOwnership: Schema.Boolean.annotate({ description: "Whether the home is owned or mortgaged." }),
  empLength: Schema.String.annotate({ description: "Years in the current employment." }).check(taken("empLength")),
  loanAmt: Schema.Int.annotate({ description: "The credit amount in USD.", format: "int32" }).check(
    documented({ minimum: 1, maximum: MAX_LOAN }),
    taken("loanAmt")
  ),
  purpose: text(1, MAX_PURPOSE).annotate({ description: "What the credit is for." }).check(taken("purpose")),
  desc: lines(0, MAX_DESCRIPTION).annotate({ description: "For people to read; it never counts." })
}).annotate({ identifier: "CreditRequest" })

const whole = (min: number, max: number) => Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }))

const card = {
  profileId: Schema.String.annotate({ description: "The user's id." }),
  score: whole(LOWEST_SCORE, HIGHEST_SCORE).annotate({
    description: "300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds."
  }),
  probability: Schema.Finite.annotate({ description: "That the credit is not paid back, from 0 to 1." }),
  band: Schema.Literals(BANDS),
  limit: AmountFromNumber.annotate({
    description:
      "USD that the user may owe: assessedLimit less what the company's other users have. Replaces the limit before."
  }),
  assessedLimit: AmountFromNumber.annotate({ description: "USD that the score alone grants." }),
  apr: Schema.Finite.annotate({ description: "Percent a year." }),
  points: Schema.Array(Schema.Struct({ attribute: Schema.String, points: Schema.Int })).annotate({
    description: "They add up to the score."
  }),
  reasons: Schema.Array(Schema.Struct({ code: Schema.String, text: Schema.String, points: Schema.Int })).annotate({
    description: "What cost most points, the costliest first: at most four."
  }),
  modelVersion: Schema.String,
  assessedAt: UtcTimestamp
}

/** A score card as it was given. */
export const ScoreCardResponse = Schema.Struct(card).annotate({ identifier: "ScoreCard" })

/** The last score card of a user, and what of its limit is used. */
export const CreditProfile = Schema.Struct({
  ...card,
  available: AmountFromNumber.annotate({ description: "USD that the user may still owe." }),
  used: AmountFromNumber.annotate({
    description: "USD that unpaid orders use; above the limit where it was lowered since."
  })
}).annotate({ identifier: "CreditProfile" })

/** The same as it is now. */
const PresentCreditProfile = Schema.Struct({
  ...CreditProfile.fields,
  frozen: Schema.Boolean.annotate({
    description: "Whether something of the user's company is overdue, so that it orders nothing new on credit."
  })
}).annotate({ identifier: "PresentCreditProfile" })

const ProfileId = { profileId: text(1, 64) }

const request = HttpApiEndpoint.post("requestCredit", "/v1/credit/request", {
  payload: CreditRequest,
  success: CreditProfile,
  error: [wire("invalid_request"), wire("rate_limited")]
})
  .annotate(Policy, scopes("credit:write"))
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Score the caller and set its credit limit",
      description:
        "The new limit replaces the one before; what is used stays used. The company's users together have at most the " +
        `largest limit that any of them was assessed for. A user is scored ${MOST_ASSESSMENTS_A_DAY} times in 24 hours ` +
        `at most, all users of a company ${MOST_COMPANY_ASSESSMENTS_A_DAY} times.`
    })
  )

const seen = [wire("access_denied"), wire("not_found")] as const

const profile = HttpApiEndpoint.get("getCreditProfile", "/v1/credit/profile/:profileId", {
  params: ProfileId,
  success: PresentCreditProfile,
  error: seen
})
  .annotate(Policy, scopes("credit:read"))
  .annotateMerge(
    OpenApi.annotations({ summary: "A user's score card", description: "For the user itself and administrators." })
  )

const history = HttpApiEndpoint.get("listCreditProfiles", "/v1/credit/profile/:profileId/history", {
  params: ProfileId,
  query: pageQuery,
  success: HttpApiSchema.WithHeaders(Schema.Array(ScoreCardResponse), { "x-total-count": Schema.FiniteFromString }),
  error: seen
})
  .annotate(Policy, scopes("credit:read"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "A user's score cards, newest first",
      description: "For the user itself and administrators."
    })
  )

/** Credit: who may owe how much. Specification 2.8, 4.2. */
export class CreditApi extends HttpApiGroup.make("credit")
  .add(request, profile, history)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Credit", description: "Score cards and credit limits." })) {}
