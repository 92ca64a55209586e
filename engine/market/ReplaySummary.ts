/** What a whole replay came to. */

import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { AuctionOutcome } from "./AuctionOutcome.ts"

export interface ReplaySummary {
  readonly auctions: number
  /** Choices that the rules made again with nothing changed, and how many came out as published. */
  readonly chosen: number
  readonly reproduced: number
  /** Bids that were taken, and auctions with at least one. */
  readonly bids: number
  readonly entered: number
  readonly won: number
  /** Auctions won that ended with a profit. */
  readonly gained: number
  /** Auctions entered that were void, of which nothing tells who would have won, or at what a win was sold. */
  readonly voided: number
  readonly undecided: number
  readonly unpriced: number
  /** Wins whose exit price the record leaves open. */
  readonly estimated: number
  readonly profit: Amount
  /** Of the best bid in each auction, and in how many one would have gained. */
  readonly bestProfit: Amount
  readonly winnable: number
  /** The deepest fall of the balance from a height before it. */
  readonly drawdown: Amount
}

/** Adds up outcomes one by one, so that a replay of any length takes the same memory. */
export class ReplayTally {
  #sums: ReplaySummary = {
    auctions: 0,
    chosen: 0,
    reproduced: 0,
    bids: 0,
    entered: 0,
    won: 0,
    gained: 0,
    voided: 0,
    undecided: 0,
    unpriced: 0,
    estimated: 0,
    profit: ZERO,
    bestProfit: ZERO,
    winnable: 0,
    drawdown: ZERO
  }
  #height: Amount

  /** @param balance - what the trader began with */
  constructor(balance: Amount) {
    this.#height = balance
  }

  get summary(): ReplaySummary {
    return this.#sums
  }

  add(outcome: AuctionOutcome): void {
    const { balance, basis, best, end, own, profit, reproduction, won } = outcome
    const sums = this.#sums
    const isEntered = own.length > 0
    const count = (holds: boolean): number => (holds ? 1 : 0)
    if (balance > this.#height) this.#height = balance
    const fall = fromUnits(this.#height - balance)
    this.#sums = {
      auctions: sums.auctions + 1,
      chosen: sums.chosen + count(reproduction !== "unchosen"),
      reproduced: sums.reproduced + count(reproduction === "same"),
      bids: sums.bids + own.length,
      entered: sums.entered + count(isEntered),
      won: sums.won + count(won),
      gained: sums.gained + count(profit !== null && profit > 0n),
      voided: sums.voided + count(isEntered && end === "void"),
      undecided: sums.undecided + count(isEntered && end === "undecided"),
      unpriced: sums.unpriced + count(isEntered && end === "unpriced"),
      estimated: sums.estimated + count(won && basis === "estimated"),
      profit: fromUnits(sums.profit + (profit ?? 0n)),
      bestProfit: fromUnits(sums.bestProfit + (best?.profit ?? 0n)),
      winnable: sums.winnable + count(best !== null),
      drawdown: fall > sums.drawdown ? fall : sums.drawdown
    }
  }
}
