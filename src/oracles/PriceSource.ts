import { Data } from "effect"
import type { Effect } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"

/** One source's price of one asset. */
export interface Quote {
  /** An instrument's asset, such as `EUR/USD`. */
  readonly asset: string
  /** USD for what the instrument's unit says. */
  readonly price: Amount
  readonly source: string
  /** When the source said so, in milliseconds since 1970. */
  readonly observedAt: number
  /** Made by the sandbox. Never shown as live. */
  readonly simulated: boolean
}

/** A source has no quotes now; `reason` says why in words for an operator. */
export class SourceUnavailable extends Data.TaggedError("SourceUnavailable")<{
  readonly source: string
  readonly reason: string
}> {
  override get message(): string {
    return `Price source ${this.source}: ${this.reason}`
  }
}

/** Where prices come from. */
export interface PriceSource {
  readonly name: string
  /** How old its quotes may be to count. */
  readonly staleAfterMillis: number
  /** Its latest quotes, at most one an asset and source name. Never waits for the outside world. */
  readonly quotes: Effect.Effect<ReadonlyArray<Quote>, SourceUnavailable>
}
