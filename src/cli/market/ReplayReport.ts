import type { AuctionOutcome, OwnBid } from "../../../engine/market/AuctionOutcome.ts"
import { type ReplaySummary, ReplayTally } from "../../../engine/market/ReplaySummary.ts"
import { type Amount, toNumber } from "../../../engine/money/Amount.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { isoDay } from "../../api/UtcDay.ts"

/** What was replayed, and by whom. */
export interface ReplayAbout {
  /** The command that does the same again. */
  readonly command: string
  readonly program: string
  readonly place: string
  readonly days: ReadonlyArray<number>
  readonly balance: Amount
}

/** Points of the balance that a report has at most. */
const MOST_POINTS = 2_000

/** Auctions that are told one by one, the last ones: a program that bids on a year of them has more. */
const MOST_AUCTIONS = 5_000

/** The balance at a time, and what the best bids would have made of it. */
export interface BalancePoint {
  readonly at: number
  readonly balance: Amount
  readonly best: Amount
}

/** Takes what became of each auction, and keeps what a report tells. */
export class ReplayReport {
  readonly about: ReplayAbout
  readonly #tally: ReplayTally
  #entered: Array<AuctionOutcome> = []
  #points: Array<BalancePoint> = []
  #every = 1
  #count = 0
  #different: AuctionOutcome | undefined

  constructor(about: ReplayAbout) {
    this.about = about
    this.#tally = new ReplayTally(about.balance)
  }

  add(outcome: AuctionOutcome): void {
    this.#tally.add(outcome)
    if (outcome.reproduction === "different") this.#different ??= outcome
    if (outcome.own.length > 0) this.#entered.push(outcome)
    if (this.#entered.length > 2 * MOST_AUCTIONS) this.#entered = this.#entered.slice(-MOST_AUCTIONS)
    this.#addPoint(outcome)
  }

  /** Keeps one of so many points that they stay few. */
  #addPoint({ balance, endedAt }: AuctionOutcome): void {
    if (this.#count++ % this.#every !== 0) return
    const best = (this.about.balance + this.summary.bestProfit) as Amount
    this.#points.push({ at: endedAt, balance, best })
    if (this.#points.length <= MOST_POINTS) return
    this.#points = this.#points.filter((_, index) => index % 2 === 0)
    this.#every *= 2
  }

  get summary(): ReplaySummary {
    return this.#tally.summary
  }

  /** The auctions that the program bid on, the last ones of many. */
  get entered(): ReadonlyArray<AuctionOutcome> {
    return this.#entered.slice(-MOST_AUCTIONS)
  }

  get points(): ReadonlyArray<BalancePoint> {
    return this.#points
  }

  /** The first auction that does not come out as it was published. */
  get different(): AuctionOutcome | undefined {
    return this.#different
  }
}

const numberOf = (amount: Amount | null): number | null => (amount === null ? null : toNumber(amount))

const bidJson = ({ acceptedAt, exitPrice, proposedPrice, quantity, rank, reason, slippage }: OwnBid) => ({
  accepted_at: isoUtc(acceptedAt),
  proposed_entry_price: toNumber(proposedPrice),
  slippage_tolerance: toNumber(slippage),
  expected_exit_price: toNumber(exitPrice),
  quantity: toNumber(quantity),
  rank,
  loss_reason: reason
})

const auctionJson = (outcome: AuctionOutcome) => ({
  order_id: outcome.orderId,
  asset_type: outcome.assetType,
  asset: outcome.asset,
  opened_at: isoUtc(outcome.openedAt),
  settlement_date: isoUtc(outcome.settlementAt),
  quantity: toNumber(outcome.quantity),
  entry_price: toNumber(outcome.entryPrice),
  end: outcome.end,
  published: {
    winner_commitment_id: outcome.published.winner,
    clearing_price: numberOf(outcome.published.clearingPrice),
    settlement_price: numberOf(outcome.published.settlementPrice)
  },
  reference_price: numberOf(outcome.referencePrice),
  bids: outcome.own.map(bidJson),
  won: outcome.won,
  clearing_price: numberOf(outcome.clearingPrice),
  settlement_price: numberOf(outcome.settlementPrice),
  settlement_basis: outcome.basis,
  profit: numberOf(outcome.profit),
  best_bid:
    outcome.best === null
      ? null
      : {
          proposed_entry_price: toNumber(outcome.best.proposedPrice),
          quantity: toNumber(outcome.best.quantity),
          clearing_price: toNumber(outcome.best.clearingPrice),
          profit: toNumber(outcome.best.profit)
        }
})

/** The report for a program. Money is in USD. */
export const replayJson = ({ about, entered, summary }: ReplayReport): object => {
  const { bestProfit, drawdown, profit, ...counts } = summary
  const [first, last] = [about.days[0], about.days.at(-1)]
  return {
    program: about.program,
    source: about.place,
    from: first === undefined ? null : isoDay(first),
    to: last === undefined ? null : isoDay(last),
    ...counts,
    balance: toNumber(about.balance),
    profit: toNumber(profit),
    drawdown: toNumber(drawdown),
    best_profit: toNumber(bestProfit),
    auctions_entered: entered.map(auctionJson)
  }
}
