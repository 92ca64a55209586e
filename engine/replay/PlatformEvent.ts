import type { ArenaEvent } from "../arena/ArenaEvent.ts"
import type { FundsEvent } from "../ledger/FundsEvent.ts"

/** The events of each context that records any. */
export interface EventFamilies {
  readonly order: ArenaEvent
  readonly funds: FundsEvent
}

export type EventFamily = keyof EventFamilies

/** Everything the platform records. */
export type PlatformEvent = EventFamilies[EventFamily]
