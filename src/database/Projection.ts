import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { FundsEvent } from "../../engine/ledger/FundsEvent.ts"

/** Everything the platform records. */
export type PlatformEvent = ArenaEvent | FundsEvent

/** The answer that a caller's retry gets. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/**
 * What else a recorded event writes, in its own transaction: each context's tables, and the answers kept for retries.
 * The application's graph composes it from the contexts.
 */
export class Projection extends Context.Service<
  Projection,
  {
    readonly write: (events: ReadonlyArray<Recorded<PlatformEvent>>) => Effect.Effect<void, SqlError>
    readonly answer: (recorded: Recorded<PlatformEvent>) => StoredAnswer
  }
>()("emporion/database/Projection") {}
