import type { Median } from "../arena/Median.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import { orderMedian } from "../arena/OrderTemplate.ts"
import type { Amount } from "../money/Amount.ts"

/** What orders' own prices were when the medians of their assets were recorded: each computed once, and told. */
export class QuoteCache {
  readonly #known = new Map<string, Map<number, Median>>()
  readonly #onQuote: (orderId: string, median: Median) => void

  constructor(onQuote: (orderId: string, median: Median) => void) {
    this.#onQuote = onQuote
  }

  /** A median of an order's asset with the order's own price. */
  of(terms: OrderTerms, median: Median): Median {
    const known = this.#known.get(terms.orderId)?.get(median.at)
    if (known !== undefined) return known
    const priced = orderMedian(terms, median)
    if (priced === median) return median
    const quotes = this.#known.get(terms.orderId) ?? new Map<number, Median>()
    this.#known.set(terms.orderId, quotes.set(median.at, priced))
    this.#onQuote(terms.orderId, priced)
    return priced
  }

  /** What an order is worth at a median of its asset, if there is one. */
  worth(terms: OrderTerms, median: Median | undefined): Amount | undefined {
    return median && this.of(terms, median).price
  }

  /** Forgets the prices of an order that needs none any more. */
  retire(orderId: string): void {
    this.#known.delete(orderId)
  }
}
