import { Context } from "effect"
import type { Statement } from "effect/sql/Statement"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import type { FundsEvent } from "../../engine/ledger/FundsEvent.ts"

/** Everything the platform records. */
export type PlatformEvent = ArenaEvent | FundsEvent

/** Statements of one transaction, in the order in which they must run. */
export type Statements = ReadonlyArray<Statement<unknown>>

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
    /** The statements that write them, in the order in which they must run. */
    readonly write: (events: ReadonlyArray<Recorded<PlatformEvent>>) => Statements
    /** `account` gives the accounts that the transaction touched, as they are at its end. */
    readonly answer: (recorded: Recorded<PlatformEvent>, account: (id: AccountId) => Account) => StoredAnswer
  }
>()("emporion/database/Projection") {}
