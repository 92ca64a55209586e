/** What a trader's own program is, as a module of TypeScript. */

import type { MarketChannel, MarketFrame } from "./MarketFrame.ts"

/** What a commitment asks for, as the body of `POST /api/arena/commitments`. Specification 4.3. */
export interface CommitmentRequest {
  readonly order_id: string
  readonly proposed_entry_price: number
  readonly expected_exit_price: number
  readonly quantity: number
  readonly slippage_tolerance?: number
}

/** The arena as a program reaches it while it hears of an event. */
export interface Market {
  /** The time of the event, ISO 8601. */
  readonly now: string
  /** USD that nothing holds. */
  readonly free: number
  /** Commits to an order. The answer comes as an event, `commitment_accepted` or `commitment_refused`. */
  readonly commit: (request: CommitmentRequest) => void
  /** Asks for the event `woken` at a time, ISO 8601. */
  readonly wakeAt: (time: string) => void
}

/** A program that trades: it hears of events in their sequence, one at a time. */
export interface TradingProgram {
  /** What it wants to hear of; `orders` and `my` unless said. */
  readonly channels?: ReadonlyArray<MarketChannel>
  /** Hears of one event. The next one waits for a promise. */
  readonly onEvent: (event: MarketFrame, market: Market) => void | Promise<void>
}
