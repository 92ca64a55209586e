import type { ChangedAccounts } from "../../engine/journal/GroupWriter.ts"
import { ZERO } from "../../engine/money/Amount.ts"

/** What a commit changed that touched no account: for who tells listeners of events alone. */
export const NO_ACCOUNTS: ChangedAccounts = {
  changedAccounts: new Set(),
  account: (id) => ({ id, balance: ZERO, held: ZERO, closed: false })
}
