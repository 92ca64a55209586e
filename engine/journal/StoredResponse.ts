/** The answers that are kept for retries. */

import type { Recorded } from "../actor/Journal.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"

/** The answer for a caller's retry. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** Returns the accounts that a transaction touched, as they are at its end. */
export type Accounts = (id: AccountId) => Account

/** The answers for retries under recorded events' keys, where their deciders left that open. */
export interface EventAnswers {
  readonly of: (recorded: Recorded<PlatformEvent>, accounts: Accounts) => StoredResponse
  /** Whether it follows from the event alone, so that it can be made at any later time. */
  readonly follows: (event: PlatformEvent) => boolean
}
