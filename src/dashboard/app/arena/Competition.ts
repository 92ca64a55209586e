import type { ArenaBid, ArenaOrder } from "./ArenaOrder.ts"

/** A bid as the competition shows it. */
export interface Contender {
  readonly bid: ArenaBid
  /** Its place: by rank after the choice, by price before it. */
  readonly place: number
  readonly isWinner: boolean
  /** Its price as a part of the highest one's distance from the entry price, from 0 to 1, for a bar. */
  readonly reach: number
  /** What became of it, in words; undefined while it is open. */
  readonly outcome: string | undefined
}

/** Who competes for an order. */
export interface Competition {
  readonly contenders: ReadonlyArray<Contender>
  readonly isDecided: boolean
  /** USD at stake of all. */
  readonly collateral: number
  /** The part that machines hold, from 0 to 1: of all collateral, and after the choice of what the 3/4 rule weighed. */
  readonly machinePart: number
  readonly humans: number
  readonly machines: number
}

const OUTCOMES: Readonly<Record<string, string>> = {
  outbid: "Outbid",
  below_reference: "Below the reserve",
  ARENA_007: "Too few machines",
  void: "Void"
}

/** Why a commitment lost, in words. */
export const lossText = (reason: string): string => OUTCOMES[reason] ?? reason

const outcomeOf = (bid: ArenaBid): string | undefined => {
  if (bid.loss_reason !== null) return lossText(bid.loss_reason)
  return bid.status === "active" ? undefined : "Won"
}

/** A sealed price counts as the entry price. */
const byPrice =
  (entry: number) =>
  (one: ArenaBid, other: ArenaBid): number =>
    (other.proposed_entry_price ?? entry) - (one.proposed_entry_price ?? entry) || other.collateral - one.collateral

const byRank = (one: ArenaBid, other: ArenaBid): number => (one.rank ?? Infinity) - (other.rank ?? Infinity)

const sum = (bids: ReadonlyArray<ArenaBid>): number => bids.reduce((total, { collateral }) => total + collateral, 0)

/** What the 3/4 rule weighed; undefined before the choice, and where there was nothing to weigh. */
const weighed = (fairness: ArenaOrder["fairness"]): number | undefined =>
  fairness === null || fairness.total === "0" ? undefined : Number(fairness.machines) / Number(fairness.total)

/**
 * The competition for an order. Before the choice limits and owners are secret, so bids stand by their proposed price, or
 * by their collateral where that is sealed; after it they stand in the published ranking.
 */
export const competitionOf = ({
  commitments,
  entry_price: entry,
  fairness,
  winner_commitment_id: winner
}: ArenaOrder): Competition => {
  const isDecided = commitments.length > 0 && commitments.every(({ status }) => status !== "active")
  const machines = commitments.filter(({ trader_type: type }) => type === "machine")
  const collateral = sum(commitments)
  const above = (bid: ArenaBid): number => (bid.proposed_entry_price ?? entry) - entry
  const highest = Math.max(0, ...commitments.map(above))
  const contenders = commitments
    .toSorted(isDecided && commitments.every(({ rank }) => rank !== null) ? byRank : byPrice(entry))
    .map((bid, index) => ({
      bid,
      place: index + 1,
      isWinner: bid.commitment_id === winner,
      reach: highest === 0 ? 0 : Math.max(0, above(bid) / highest),
      outcome: outcomeOf(bid)
    }))
  return {
    contenders,
    isDecided,
    collateral,
    machinePart: weighed(fairness) ?? (collateral === 0 ? 0 : sum(machines) / collateral),
    humans: commitments.length - machines.length,
    machines: machines.length
  }
}

/** USD that the winner made by the settlement price: (settlement − clearing) × quantity, within ± its collateral. */
export const winnerProfit = (
  { clearing_price: paid, settlement_price: worth }: ArenaOrder,
  bid: ArenaBid
): number | undefined => {
  if (paid === null || worth === null) return undefined
  const earned = (worth - paid) * bid.quantity
  return Math.max(-bid.collateral, Math.min(bid.collateral, earned))
}
