import type { Choice } from "../arena/ArenaEvent.ts"
import { type FairnessEvidence, naiveFairness, type NaiveFairness } from "./FairnessAudit.ts"
import type { Report } from "./LedgerAudit.ts"
import { type NaiveCommitment, naiveOffer, type NaiveOrder, naiveReserve, type Wire } from "./NaiveOrder.ts"
import type { NaivePrice } from "./WorldRecord.ts"

/** What a choice is judged by. */
export interface ChoiceEvidence {
  readonly order: NaiveOrder
  readonly choice: Wire<Choice>
  /** The prices that the order's actor could see, from expiry on. */
  readonly prices: ReadonlyArray<NaivePrice>
  /** Owners that had an active machine. */
  readonly machineOwners: ReadonlySet<string>
  /** SHA-256(tie key ‖ owner), in hex. */
  readonly tieHash: (owner: string) => string
  readonly fairness: FairnessEvidence
}

/**
 * The choice of a winner told again: candidates are knocked out criterion by criterion, and nothing is sorted by a
 * comparison. Every number of the choice is computed anew.
 */
export const auditChoice = (evidence: ChoiceEvidence, report: Report): void => {
  const { order, choice, prices } = evidence
  const first = prices.find(({ at, safe }) => safe && at < order.terms.settlementAt)
  if (first?.at !== choice.referenceAt || first.price !== BigInt(choice.reference)) {
    report("reference", `${order.id} took ${choice.reference} at ${choice.referenceAt}, not the first safe price`)
  }
  const field = fieldOf(evidence)
  const best = field.stand.length === 0 ? undefined : bestOf(evidence, field)
  if ((best?.id ?? null) !== choice.winner) {
    report("winner", `${order.id} chose ${choice.winner}, not ${best?.id ?? "nobody"}`)
  }
  const clearing = best === undefined ? null : clearingOf(evidence, field, best)
  if (clearing !== (choice.clearingPrice === null ? null : BigInt(choice.clearingPrice))) {
    report("clearing_price", `${order.id} clears at ${choice.clearingPrice}, not ${clearing}`)
  }
  if (!isFair(evidence, field.fairness)) {
    report("fairness", `${order.id} counts ${choice.fairness.machines} of ${choice.fairness.total} for machines`)
  }
  auditRanking(evidence, field, report)
}

interface Field {
  readonly scores: ReadonlyMap<string, bigint>
  readonly eligible: ReadonlySet<string>
  /** Those that neither their terms nor the 3/4 rule exclude. */
  readonly stand: ReadonlyArray<NaiveCommitment>
  readonly fairness: NaiveFairness
}

const isFair = ({ choice, fairness: { rule } }: ChoiceEvidence, expected: NaiveFairness): boolean => {
  const { fairness: told } = choice
  const { machineOwners: owners } = expected
  return (
    told.rule === rule &&
    BigInt(told.machines) === expected.machines &&
    BigInt(told.total) === expected.total &&
    told.machineOwners.length === owners.length &&
    told.machineOwners.every((owner, index) => owner === owners[index])
  )
}

const fieldOf = ({ order, choice, machineOwners, fairness }: ChoiceEvidence): Field => {
  const reference = BigInt(choice.reference)
  const reserve = naiveReserve(order, reference)
  const scores = new Map<string, bigint>()
  const eligible: Array<NaiveCommitment> = []
  const isMachine = new Set(machineOwners)
  for (const one of order.commitments.values()) {
    const above = naiveOffer(order, one, reference) - reserve
    scores.set(one.id, above * one.quantity)
    if (one.isMachine) isMachine.add(one.owner)
    if (above < 0n || one.quantity > order.quantity) continue
    eligible.push(one)
  }
  const judged = naiveFairness(order, eligible, isMachine, fairness)
  return {
    scores,
    eligible: new Set(eligible.map(({ id }) => id)),
    stand: eligible.filter(({ owner }) => !judged.barred.has(owner)),
    fairness: judged
  }
}

const batchOf = ({ terms }: NaiveOrder, { acceptedAt }: NaiveCommitment): number => {
  const after = acceptedAt - terms.openedAt
  return (after - (((after % 100) + 100) % 100)) / 100
}

const bestOf = ({ order, tieHash }: ChoiceEvidence, { scores, stand }: Field): NaiveCommitment | undefined => {
  const score = ({ id }: NaiveCommitment): bigint => scores.get(id) ?? 0n
  const topScore = most(stand, score)
  const topCollateral = most(topScore, ({ collateral }) => collateral)
  const earliest = least(topCollateral, (one) => batchOf(order, one))
  const byHash = earliest.length === 1 ? earliest : least(earliest, ({ owner }) => tieHash(owner))
  return least(byHash, ({ ordinal }) => ordinal)[0]
}

const most = (some: ReadonlyArray<NaiveCommitment>, by: (one: NaiveCommitment) => bigint) => {
  let top: bigint | undefined
  for (const one of some) if (top === undefined || by(one) > top) top = by(one)
  return some.filter((one) => by(one) === top)
}

const least = <T extends number | string>(
  some: ReadonlyArray<NaiveCommitment>,
  by: (one: NaiveCommitment) => T
): ReadonlyArray<NaiveCommitment> => {
  let low: T | undefined
  for (const one of some) if (low === undefined || by(one) < low) low = by(one)
  return some.filter((one) => by(one) === low)
}

const clearingOf = ({ choice, order }: ChoiceEvidence, { scores, stand }: Field, best: NaiveCommitment): bigint => {
  let rival = 0n
  for (const { id, owner } of stand) {
    const score = scores.get(id) ?? 0n
    if (owner !== best.owner && score > rival) rival = score
  }
  const premium = rival / best.quantity
  return naiveReserve(order, BigInt(choice.reference)) + (premium * best.quantity === rival ? premium : premium + 1n)
}

/** Everybody is ranked once, with the right score and reason, and nobody stands below a worse one of the same class. */
const auditRanking = ({ order, choice }: ChoiceEvidence, field: Field, report: Report): void => {
  const standing = new Set(field.stand.map(({ id }) => id))
  const seen = new Set<string>()
  let before: { readonly rank: number; readonly score: bigint } | undefined
  for (const { commitmentId: id, owner, score, reason } of choice.ranking) {
    const one = order.commitments.get(id)
    const rank = standing.has(id) ? 0 : field.eligible.has(id) ? 1 : 2
    const expected = id === choice.winner ? null : (["outbid", "ARENA_007", "below_reference"] as const)[rank]
    const exact = BigInt(score)
    const isRight = one?.owner === owner && field.scores.get(id) === exact && reason === expected && !seen.has(id)
    if (!isRight) report("ranking", `${order.id} ranks ${id} of ${owner} with ${score}, ${reason}`)
    if (before !== undefined && (rank < before.rank || (rank === before.rank && exact > before.score))) {
      report("ranking", `${order.id} ranks ${id} too low`)
    }
    before = { rank, score: exact }
    seen.add(id)
  }
  if (seen.size !== order.commitments.size) {
    report("ranking", `${order.id} ranks ${seen.size} of ${order.commitments.size} commitments`)
  }
}
