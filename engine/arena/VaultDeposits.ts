import type { Entry } from "../actor/Journal.ts"
import { VAULT } from "./Order.ts"

/** Whether the vault takes new collateral from now on. */
export interface VaultDepositsSet {
  readonly _tag: "VaultDepositsSet"
  readonly at: number
  readonly closed: boolean
}

/** Where it is recorded. */
export const VAULT_DEPOSITS_STREAM = "vault-deposits"

/** Closes the vault to new collateral or opens it: the ledger refuses the holds on behalf of a closed account. */
export const decideVaultDeposits = (closed: boolean, at: number): Entry<VaultDepositsSet> => ({
  commands: [{ _tag: closed ? "Close" : "Open", account: VAULT }],
  event: { _tag: "VaultDepositsSet", at, closed }
})
