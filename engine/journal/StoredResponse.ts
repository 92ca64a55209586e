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

/** The answer for a retry under a recorded event's key, if its decider left that open. */
export type AnswerOf = (recorded: Recorded<PlatformEvent>, accounts: Accounts) => StoredResponse
