import { Schema } from "effect"
import type { CreditAssessed } from "./CreditEvent.ts"
import { BANDS } from "./CreditPolicy.ts"
import type { ScoreCard } from "./ScoreCard.ts"
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

/** A card that a user was given, and the limit that it came to. */
export interface GivenCard {
  readonly userId: string
  readonly granted: Amount
  readonly card: ScoreCard
}

/** The last card, and how much of the limit unpaid orders use. */
export interface Profile extends GivenCard {
  /** The balance of the limit's account. */
  readonly posted: Amount
  readonly used: Amount
}

const MILLIONTHS = 1_000_000
const BASIS_POINTS = 100

/** 1/10,000 a year as percent. */
export const percentOf = (apr: number): number => apr / BASIS_POINTS

/** What of a limit is free: nothing above what was granted, even before a lowered limit is taken back. */
export const availableOf = ({ granted, used }: Pick<Profile, "granted" | "used">): Amount =>
  fromUnits(granted > used ? granted - used : 0n)

/** A card under the names of HTTP. Specification 2.8. */
export const cardAnswer = ({ card, granted, userId }: GivenCard) => ({
  profileId: userId,
  score: card.score,
  probability: card.defaultProbability / MILLIONTHS,
  band: card.band,
  limit: granted,
  assessedLimit: card.limit,
  apr: percentOf(card.apr),
  points: card.points,
  reasons: card.reasons,
  modelVersion: card.modelVersion,
  assessedAt: card.assessedAt
})

/** A profile under the names of HTTP. */
export const profileAnswer = (profile: Profile) => ({
  ...cardAnswer(profile),
  available: availableOf(profile),
  used: profile.used
})

/**
 * A user's profile as the assessment leaves it, under the names of webhook objects. `before` is what the user could owe
 * until then.
 */
export const creditObject = (event: CreditAssessed, before: Amount): CreditObject => {
  const { apr, available, band, limit, modelVersion, profileId, reasons, score, used } = profileAnswer(event)
  return {
    id: profileId,
    object: "credit_profile",
    company_id: event.companyId,
    status: limit > 0n ? "approved" : "declined",
    amount: toNumber(limit),
    currency: "USD",
    created_at: timeText(event.at),
    previous_amount: toNumber(before),
    used: toNumber(used),
    available: toNumber(available),
    score,
    band,
    apr,
    reasons: reasons.map(({ code, points, text }) => ({ code, text, points })),
    model_version: modelVersion
  }
}
