import type { Median } from "../arena/Median.ts"
import type { OrderTerms } from "../arena/Order.ts"
import { orderPrice } from "../arena/OrderTemplate.ts"

/** What orders' own prices were when the medians of their assets were recorded: each computed once, and told. */
export class SimulatedQuotes {
  readonly #known = new Map<string, Map<number, Median>>()
  readonly #onQuote: (orderId: string, median: Median) => void

  constructor(onQuote: (orderId: string, median: Median) => void) {
    this.#onQuote = onQuote
  }

  /** A median of an order's asset with the order's own price: of options the premium, of others as it is. */
  of(terms: OrderTerms, median: Median): Median {
    if (terms.assetType !== "options") return median
    const known = this.#known.get(terms.orderId) ?? new Map<number, Median>()
    this.#known.set(terms.orderId, known)
    const before = known.get(median.at)
    if (before !== undefined) return before
    const priced = { ...median, price: orderPrice(terms, median) }
    known.set(median.at, priced)
    this.#onQuote(terms.orderId, priced)
    return priced
  }
}
