/** One auction of a replay: the recorded bids, one's own beside them, and what comes of both. */

import { Result } from "effect"
import { type ArenaError, InsufficientCollateral } from "../arena/ArenaError.ts"
import { bidPricing } from "../arena/BidPricing.ts"
import type { Commitment, Trader } from "../arena/Commitment.ts"
import type { Median } from "../arena/Median.ts"
import { evolve, opened, type OrderState } from "../arena/Order.ts"
import { profitOf, SETTLEMENT_WAIT_MILLIS } from "../arena/SettlementPrice.ts"
import { decideSubmission, NOTHING_EARLIER, type Submission } from "../arena/Submission.ts"
import type { Competition } from "../arena/Winner.ts"
import { type Amount, fromUnits, MAX, ZERO } from "../money/Amount.ts"
import type { Chosen } from "./AuctionView.ts"
import { type BestBid, bestBid } from "./BestBid.ts"
import { exitOf, type KnownExit, type OrderPrices, pricesAtChoice } from "./ExitKnowledge.ts"
import { chooseAmong, type RecordedAuction, type TieHash, unitsOrNull } from "./PublishedAuction.ts"
import type { ReplayBalance } from "./ReplayBalance.ts"

/** What a program asks for. Amounts are in 10⁻⁶. */
export type BidRequest = Pick<Submission, "proposedPrice" | "exitPrice" | "quantity" | "slippage"> & {
  readonly orderId: string
}

/** A choice with one's own bids among the recorded ones. */
export interface ReplayedChoice extends Chosen {
  readonly competition: Competition
  /** One's own commitment that won. */
  readonly won: Commitment | undefined
  /** The most collateral that one could have had on this auction. */
  readonly budget: Amount
}

/** What came of a choice in the end. */
export interface ReplayedSettlement {
  /** What the winner sold at, whoever it is; null where there is none, the order is void, or nothing recorded tells. */
  readonly price: Amount | null
  /** How sure that is; null where the price is. */
  readonly basis: KnownExit["basis"] | null
  /** One's own; null where nothing recorded tells it. */
  readonly profit: Amount | null
  /** Undefined where no bid would have earned anything, or nothing recorded tells. */
  readonly best: BestBid | undefined
}

/** Numbers of one's own commitments come after this: above all that were recorded, of which they must not tell how many. */
const OWN_ORDINALS = 1_000_000_000

/** The sequence of an auction's steps after its expiry, in milliseconds since 1970. */
export interface ClosingTimes {
  /** Undefined where there is no choice. */
  readonly chosenAt: number | undefined
  readonly endedAt: number
}

export class ReplayedAuction {
  readonly recorded: RecordedAuction
  /** The recorded bids that one's own compete with. */
  readonly rivals: ReadonlyArray<Commitment>
  readonly #trader: Trader
  readonly #tieHash: TieHash
  /** The order with one's own commitments alone: the limits of a company count no others. */
  readonly #state: OrderState
  #prices: OrderPrices | undefined
  #choice: ReplayedChoice | undefined

  constructor(recorded: RecordedAuction, trader: Trader, tieHash: TieHash) {
    this.recorded = recorded
    this.rivals = recorded.bids.filter((bid) => bid.trader.owner !== trader.owner)
    this.#trader = trader
    this.#tieHash = tieHash
    this.#state = opened(recorded.terms)
  }

  /** One's own commitments, in the sequence of their acceptance. */
  get own(): ReadonlyArray<Commitment> {
    return [...this.#state.commitments.values()]
  }

  get choice(): ReplayedChoice | undefined {
    return this.#choice
  }

  /** Decides a bid by the rules of submission, at its arrival. */
  submit(request: BidRequest, at: number, account: ReplayBalance): Result.Result<Commitment, ArenaError> {
    const submission: Submission = { ...request, trader: this.#trader, swapExecutor: "", barred: null }
    const ordinal = Math.max(this.#state.lastOrdinal, OWN_ORDINALS) + 1
    return Result.flatMap(
      decideSubmission(this.#state, submission, at, null, ordinal, NOTHING_EARLIER),
      ({ event }) => {
        const { collateral } = event.commitment
        if (collateral > account.free) {
          return Result.fail(new InsufficientCollateral({ needed: collateral, available: account.free }))
        }
        account.hold(collateral)
        evolve(this.#state, event)
        return Result.succeed(event.commitment)
      }
    )
  }

  /**
   * Ends the taking of commitments, and says when the next steps come. Where prices are missing the choice is told at the
   * settlement date: it was made before that, and nobody can say how long before.
   */
  close(medians: ReadonlyArray<Median>): ClosingTimes {
    const { published, terms } = this.recorded
    const { expiryAt, settlementAt } = terms
    this.#state.status = "settling"
    this.#prices = pricesAtChoice(this.recorded, medians)
    if (this.rivals.length + this.#state.commitments.size === 0) return { chosenAt: undefined, endedAt: expiryAt }
    switch (published.void_reason) {
      case "breaker_open_at_expiry":
        return { chosenAt: undefined, endedAt: expiryAt }
      case "no_reference_price":
        return { chosenAt: undefined, endedAt: settlementAt }
      case "no_settlement_price":
        return { chosenAt: settlementAt, endedAt: settlementAt + SETTLEMENT_WAIT_MILLIS }
    }
    if (this.#prices === undefined) return { chosenAt: settlementAt, endedAt: settlementAt }
    const final = this.#prices.medians.find(({ at, safe }) => safe && at >= settlementAt)
    return { chosenAt: this.#prices.reference.at, endedAt: final?.at ?? settlementAt }
  }

  /** Makes the choice; undefined where nothing recorded tells the reference price. */
  choose(account: ReplayBalance): ReplayedChoice | undefined {
    const { published, terms } = this.recorded
    const reference = unitsOrNull(published.reference_price) ?? this.#prices?.reference.price
    if (reference === undefined) return undefined
    const own = this.own
    const competition = chooseAmong(this.recorded, reference, [...this.rivals, ...own], this.#ties)
    const locked = own.reduce((sum, { collateral }) => sum + collateral, 0n)
    this.#choice = {
      reference,
      reserve: bidPricing(terms, reference).reserve,
      winner: competition.winner,
      clearingPrice: competition.clearingPrice,
      competition,
      won: own.find(({ commitmentId }) => commitmentId === competition.winner),
      budget: fromUnits(account.free + locked)
    }
    return this.#choice
  }

  /** Says what came of the choice, at the end. */
  settle(): ReplayedSettlement {
    const choice = this.#choice
    if (choice === undefined || this.recorded.published.void_reason !== null) {
      return { price: null, basis: null, profit: ZERO, best: undefined }
    }
    const { clearingPrice, won } = choice
    const best = this.#best(choice)
    const winner = won ?? this.rivals.find(({ commitmentId }) => commitmentId === choice.winner)
    if (winner === undefined || clearingPrice === null) return { price: null, basis: null, profit: ZERO, best }
    const exit = exitOf(this.recorded, winner, this.#prices)
    const profit = won === undefined ? ZERO : exit === undefined ? null : profitOf(won, clearingPrice, exit.price)
    return { price: exit?.price ?? null, basis: exit?.basis ?? null, profit, best }
  }

  readonly #ties = (owner: string): string => this.#tieHash(this.recorded.published.tie_key ?? "", owner)

  #best({ budget, reference }: ReplayedChoice): BestBid | undefined {
    const { orderId, assetType, entryPrice, expiryAt } = this.recorded.terms
    const [first] = this.own
    const bidder: Commitment = first ?? {
      commitmentId: orderId,
      orderId,
      ordinal: OWN_ORDINALS + 1,
      assetType,
      trader: this.#trader,
      proposedPrice: entryPrice,
      exitPrice: MAX,
      quantity: ZERO,
      slippage: ZERO,
      swapExecutor: "",
      collateral: ZERO,
      acceptedAt: expiryAt - 1,
      status: "active",
      reason: null,
      profit: ZERO,
      yieldEarned: ZERO
    }
    const held = { ...bidder, exitPrice: MAX }
    const exit = exitOf(this.recorded, held, this.#prices)
    if (exit === undefined) return undefined
    const { rivals } = this
    const auction = this.recorded
    return bestBid({ auction, rivals, bidder: held, reference, exit: exit.price, budget, tieHash: this.#ties })
  }
}
