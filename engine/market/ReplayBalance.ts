import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"

/** The USD of a trader in a replay: what it began with and what it won and lost since, less what is held. */
export class ReplayBalance {
  #balance: Amount
  #held: Amount = ZERO

  constructor(balance: Amount) {
    this.#balance = balance
  }

  /** What nothing holds. */
  get free(): Amount {
    return fromUnits(this.#balance - this.#held)
  }

  /** All of it. */
  get balance(): Amount {
    return this.#balance
  }

  hold(collateral: Amount): void {
    this.#held = fromUnits(this.#held + collateral)
  }

  release(collateral: Amount): void {
    this.#held = fromUnits(this.#held - collateral)
  }

  /** Posts what was won, or lost where it is negative. */
  post(profit: Amount): void {
    this.#balance = fromUnits(this.#balance + profit)
  }
}
