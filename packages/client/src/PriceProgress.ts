import type { PriceUpdate } from "./Contract.ts"

/** What a price with numbers is to a consumer: `missed` where prices before it are no longer kept. */
export type PriceStep = "told" | "known" | "missed" | "breach"

/**
 * How far a consumer has come in the prices, proven by their numbers: each names the one of the same asset before it. The
 * prices of one moment come one after the other, so that a moment is complete when a later one begins.
 */
export class PriceProgress {
  readonly #last = new Map<string, number>()
  #moment: number | undefined
  #position: number | undefined

  constructor(from: number | undefined) {
    this.#position = from
  }

  /** Where to resume: all prices up to it were told. */
  get position(): number | undefined {
    return this.#position
  }

  take({ data: { asset }, price_prev: prev = null, price_seq: seq }: PriceUpdate): PriceStep {
    const last = this.#last.get(asset)
    if (seq === undefined) return "breach"
    if (last !== undefined && seq <= last) return "known"
    // One before the last told: what was told after it, the server has no more, as after a restore.
    if (last !== undefined && prev !== null && prev > last) {
      // What was lost lies after the last one of the asset, whatever was told of the others.
      this.#position = Math.min(last, this.#position ?? last)
      return "breach"
    }
    if (this.#moment !== undefined && seq > this.#moment) this.#position = this.#moment
    this.#moment = seq
    this.#last.set(asset, seq)
    return last !== undefined && prev === null ? "missed" : "told"
  }
}
