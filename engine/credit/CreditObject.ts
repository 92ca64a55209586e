import { Schema } from "effect"
import type { CreditAssessed } from "./CreditEvent.ts"
import { BANDS } from "./CreditPolicy.ts"
import { type Amount, fromUnits, toNumber } from "../money/Amount.ts"
import { Time, timeText, Usd } from "../wire/WireValue.ts"

/** A credit profile in a webhook's body: the card that was given, and what is free of the limit. */
export const CreditObject = Schema.Struct({
  id: Schema.String.annotate({ description: "The user's id, by which GET /v1/credit/profile/{profileId} answers." }),
  object: Schema.Literal("credit_profile"),
  company_id: Schema.String.annotate({ description: "The user's company." }),
  status: Schema.Literals(["approved", "declined"]).annotate({ description: "`declined`: the limit is 0." }),
  amount: Usd.annotate({ description: "USD that the user may owe: its limit." }),
  currency: Schema.Literal("USD"),
  created_at: Time.annotate({ description: "When it was scored: an ISO 8601 time with Z." }),
  previous_amount: Usd.annotate({ description: "USD that the user could owe before." }),
  used: Usd.annotate({ description: "USD that unpaid orders use." }),
  available: Usd.annotate({ description: "USD that the user may still owe." }),
  score: Schema.Int.annotate({ description: "300 to 850." }),
  band: Schema.Literals(BANDS),
  apr: Schema.Finite.annotate({ description: "Percent a year." }),
  reasons: Schema.Array(Schema.Struct({ code: Schema.String, text: Schema.String, points: Schema.Int })).annotate({
    description: "What cost most points, the costliest first: at most four."
  }),
  model_version: Schema.String
}).annotate({ identifier: "CreditProfile", description: "A user's credit profile." })

export type CreditObject = typeof CreditObject.Type

const BASIS_POINTS = 100

/** A user's profile as the assessment leaves it. `before` is what the user could owe until then. */
export const creditObject = (event: CreditAssessed, before: Amount): CreditObject => {
  const { at, card, companyId, granted, used, userId } = event
  return {
    id: userId,
    object: "credit_profile",
    company_id: companyId,
    status: granted > 0n ? "approved" : "declined",
    amount: toNumber(granted),
    currency: "USD",
    created_at: timeText(at),
    previous_amount: toNumber(before),
    used: toNumber(used),
    available: toNumber(fromUnits(granted > used ? granted - used : 0n)),
    score: card.score,
    band: card.band,
    apr: card.apr / BASIS_POINTS,
    reasons: card.reasons.map(({ code, points, text }) => ({ code, text, points })),
    model_version: card.modelVersion
  }
}
