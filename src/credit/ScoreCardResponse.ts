import type { ScoreCard } from "../../engine/credit/ScoreCard.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"

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

/** A card under the names of the contract. */
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

/** What of a limit is free: nothing above what was granted, even before a lowered limit is taken back. */
export const availableOf = ({ granted, used }: Pick<Profile, "granted" | "used">): Amount =>
  fromUnits(granted > used ? granted - used : 0n)

/** A profile under the names of the contract. */
export const profileAnswer = (profile: Profile) => ({
  ...cardAnswer(profile),
  available: availableOf(profile),
  used: profile.used
})
