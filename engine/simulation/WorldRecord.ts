import type { Transition } from "../arena/CircuitBreaker.ts"
import type { Median } from "../arena/Median.ts"
import type { Report } from "./LedgerAudit.ts"
import type { NaiveOrder } from "./NaiveOrder.ts"

/** A recorded price of what an order trades. */
export interface NaivePrice {
  readonly at: number
  readonly price: bigint
  readonly safe: boolean
}

/** The outside world as the auditor was told of it. */
export class WorldRecord {
  readonly #medians = new Map<string, Array<Median>>()
  readonly #quotes = new Map<string, Map<number, bigint>>()
  /** By order, how many medians of its asset there were when its actor last looked. */
  readonly #looks = new Map<string, number>()
  readonly #transitions: Array<Transition> = []
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  priced(recorded: ReadonlyArray<Median>): void {
    for (const median of recorded) {
      const series = this.#medians.get(median.asset)
      if (series === undefined) this.#medians.set(median.asset, [median])
      else series.push(median)
    }
  }

  /** Breakers turned. */
  turned(transitions: ReadonlyArray<Transition>): void {
    this.#transitions.push(...transitions)
  }

  /** What an option was worth when its underlying's median was recorded. */
  quoted(orderId: string, { at, price }: Pick<Median, "at" | "price">): void {
    const known = this.#quotes.get(orderId)
    if (known === undefined) this.#quotes.set(orderId, new Map([[at, price]]))
    else known.set(at, price)
  }

  /** An order's actor looks at all the medians of its asset. */
  looked(orderId: string, asset: string): void {
    this.#looks.set(orderId, this.#medians.get(asset)?.length ?? 0)
  }

  /** Forgets what only an order's end was judged by. */
  retire(orderId: string): void {
    this.#quotes.delete(orderId)
    this.#looks.delete(orderId)
  }

  /** Whether a breaker was open for an order at its expiry. */
  haltedAtExpiry({ terms }: NaiveOrder): boolean {
    const open = (scope: string): boolean => {
      let isOpen = false
      for (const transition of this.#transitions) {
        if (transition.scope === scope && transition.at <= terms.expiryAt) isOpen = transition.state === "open"
      }
      return isOpen
    }
    return open("global") || open(terms.assetType)
  }

  /** The prices of what an order trades that its actor could see, from a time on, ascending. */
  prices(order: NaiveOrder, from: number): ReadonlyArray<NaivePrice> {
    const { asset, assetType } = order.terms
    const series = this.#medians.get(asset) ?? []
    const known = this.#looks.get(order.id) ?? series.length
    const seen: Array<NaivePrice> = []
    for (let index = known - 1; index >= 0; index--) {
      const median = series[index]
      if (median === undefined || median.at < from) break
      seen.push(assetType === "options" ? { ...median, price: this.#optionPrice(order, median) } : median)
    }
    return seen.reverse()
  }

  /** An option costs no less than what it would pay now, and no more than all that it can pay. */
  #optionPrice({ id, terms }: NaiveOrder, { at, price: spot }: Median): bigint {
    const price = this.#quotes.get(id)?.get(at)
    if (price === undefined) {
      this.#report("price", `${id} was never priced at ${at}`)
      return 0n
    }
    const strike = BigInt(Math.round(Number(terms.details["strike"]) * 1_000_000))
    const isPut = terms.details["type"] === "put"
    const least = isPut ? strike - spot : spot - strike
    const most = isPut ? strike : spot
    if (price < least || price > most) this.#report("price", `${id} was priced ${price} at ${at}, spot ${spot}`)
    return price
  }
}
