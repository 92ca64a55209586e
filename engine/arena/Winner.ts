/** The choice of an order's winner: scores, ties, ranking and clearing price. */

import { Schema } from "effect"
import { type Amount, fromUnits } from "../money/Amount.ts"
import { ceilDivide } from "../money/Rounding.ts"
import { bidPricing, type BidPricing } from "./BidPricing.ts"
import { type Commitment, LossReason } from "./Commitment.ts"
import { applyFairness, type FairnessOutcome, type FairnessRule, type MachineRegister } from "./Fairness.ts"
import type { OrderTerms } from "./OrderTerms.ts"

/** Commitments accepted within one batch of this length are equally early. */
export const TIE_BATCH_MILLIS = 100

/** One commitment's place in the competition; public after the choice. */
export const RankedCommitment = Schema.Struct({
  commitmentId: Schema.String,
  owner: Schema.String,
  /** (offered − reserve) × quantity in 10⁻¹² USD, see `BidPricing`; negative below the reserve. */
  score: Schema.BigIntFromString,
  /** Why it lost; null for the winner. */
  reason: Schema.NullOr(LossReason)
})
export type RankedCommitment = typeof RankedCommitment.Type

export interface Competition {
  readonly winner: string | null
  /** USD for one unit, reserve ≤ clearing ≤ what the winner offers ≤ its limit; null without a winner. */
  readonly clearingPrice: Amount | null
  /** Every commitment, best first. */
  readonly ranking: ReadonlyArray<RankedCommitment>
  readonly fairness: FairnessOutcome
}

export interface CompetitionInput {
  readonly terms: Pick<OrderTerms, "openedAt" | "quantity" | "entryPrice" | "makerDiscount">
  readonly reference: Amount
  /** In any order. */
  readonly commitments: Iterable<Commitment>
  /** Owners that had an active machine of the asset type at any moment from opening to expiry. */
  readonly machineOwners: ReadonlySet<string>
  readonly rule: FairnessRule
  readonly register: MachineRegister
  /** SHA-256(tie key ‖ owner) in hex: the last tie-break between owners. */
  readonly tieHash: (owner: string) => string
}

interface Bid {
  readonly commitment: Commitment
  readonly owner: string
  readonly score: bigint
  readonly eligible: boolean
  readonly batch: number
}

/**
 * Chooses at most one winner of an order against the reference price, and the price it pays.
 *
 * Eligible are offers at or above the reserve for at most the order's quantity, less the owners that the 3/4 rule
 * excludes. The best score wins; ties fall to the larger collateral, the earlier batch, the owner's tie hash, then the
 * earlier acceptance. The winner pays the second price: reserve + (best eligible score of any other owner ÷ own
 * quantity, rounded up), which is at most its own offer, so that a true bid is the best bid (Vickrey, 1961).
 */
export const compete = (input: CompetitionInput): Competition => {
  const pricing = bidPricing(input.terms, input.reference)
  const bids = [...input.commitments].map((commitment) => bidOf(input, pricing, commitment))
  const machines = machineOwnersAmong(input, bids)
  const eligible = bids.filter((bid) => bid.eligible)
  const fairness = applyFairness(input.rule, participantsOf(eligible, machines), input.register)
  const rest = eligible.filter((bid) => !fairness.excluded.has(bid.owner))
  const precedes = ordering(input.tieHash)
  const best = rest.toSorted(precedes)[0]
  const ranking = rankingOf(bids, best, fairness, precedes)
  if (best === undefined) return { winner: null, clearingPrice: null, ranking, fairness }
  return {
    winner: best.commitment.commitmentId,
    clearingPrice: clearingPrice(pricing.reserve, best, rest),
    ranking,
    fairness
  }
}

const bidOf = ({ terms }: CompetitionInput, pricing: BidPricing, commitment: Commitment): Bid => {
  const margin = pricing.offered(commitment) - pricing.reserve
  return {
    commitment,
    owner: commitment.trader.owner,
    score: margin * commitment.quantity,
    eligible: margin >= 0n && commitment.quantity <= terms.quantity,
    batch: Math.floor((commitment.acceptedAt - terms.openedAt) / TIE_BATCH_MILLIS)
  }
}

const machineOwnersAmong = (input: CompetitionInput, bids: ReadonlyArray<Bid>): ReadonlySet<string> => {
  const owners = new Set(input.machineOwners)
  for (const { commitment, owner } of bids) if (commitment.trader.type === "machine") owners.add(owner)
  return owners
}

const participantsOf = (eligible: ReadonlyArray<Bid>, machines: ReadonlySet<string>) => {
  const weights = new Map<string, bigint>()
  for (const { commitment, owner } of eligible) {
    const known = weights.get(owner) ?? 0n
    weights.set(owner, commitment.collateral > known ? commitment.collateral : known)
  }
  return [...weights].map(([owner, weight]) => ({ owner, weight, machine: machines.has(owner) }))
}

const compare = <T extends bigint | number | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0

const ordering =
  (tieHash: (owner: string) => string) =>
  (one: Bid, other: Bid): number =>
    compare(other.score, one.score) ||
    compare(other.commitment.collateral, one.commitment.collateral) ||
    compare(one.batch, other.batch) ||
    (one.owner === other.owner ? 0 : compare(tieHash(one.owner), tieHash(other.owner))) ||
    compare(one.commitment.ordinal, other.commitment.ordinal)

const clearingPrice = (reserve: Amount, best: Bid, rest: ReadonlyArray<Bid>): Amount => {
  const rival = rest.reduce((top, bid) => (bid.owner !== best.owner && bid.score > top ? bid.score : top), 0n)
  return fromUnits(reserve + ceilDivide(rival, best.commitment.quantity))
}

const rankingOf = (
  bids: ReadonlyArray<Bid>,
  best: Bid | undefined,
  fairness: FairnessOutcome,
  precedes: (one: Bid, other: Bid) => number
): ReadonlyArray<RankedCommitment> => {
  const standing = (bid: Bid): RankedCommitment => ({
    commitmentId: bid.commitment.commitmentId,
    owner: bid.owner,
    score: bid.score,
    reason:
      bid === best
        ? null
        : !bid.eligible
          ? "below_reference"
          : fairness.excluded.has(bid.owner)
            ? "ARENA_007"
            : "outbid"
  })
  const rank = (bid: Bid): number => (!bid.eligible ? 2 : fairness.excluded.has(bid.owner) ? 1 : 0)
  return bids.toSorted((one, other) => rank(one) - rank(other) || precedes(one, other)).map(standing)
}
