import type { PriceUpdate } from "./ArenaMessage.ts"

/** Shortest time between two messages about one asset, in milliseconds. */
export const PRICE_INTERVAL_MILLIS = 1_000

interface Told {
  readonly at: number
  readonly price: bigint
  readonly source: string
}

/**
 * Conflates prices: at most one message for an asset in an interval, with the newest price, and none if nothing
 * changed. Holds at most one price for an asset.
 */
export class PriceConflation {
  readonly #told = new Map<string, Told>()
  readonly #waiting = new Map<string, PriceUpdate>()

  /** The update if it is due at once; else it waits for {@link due}. */
  offer(update: PriceUpdate, now: number): PriceUpdate | undefined {
    this.#waiting.set(update.asset, update)
    return this.#release(update, now)
  }

  /** The updates whose time has come. */
  due(now: number): ReadonlyArray<PriceUpdate> {
    return [...this.#waiting.values()].filter((update) => this.#release(update, now) !== undefined)
  }

  #release(update: PriceUpdate, now: number): PriceUpdate | undefined {
    const told = this.#told.get(update.asset)
    const isNews = told === undefined || told.price !== update.price || told.source !== update.source
    if (isNews && told !== undefined && now < told.at + PRICE_INTERVAL_MILLIS) return undefined
    this.#waiting.delete(update.asset)
    if (!isNews) return undefined
    this.#told.set(update.asset, { at: now, price: update.price, source: update.source })
    return update
  }
}
