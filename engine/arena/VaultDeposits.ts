import { Schema } from "effect"
import type { Entry } from "../actor/Journal.ts"
import { VAULT } from "./Order.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Whether the vault takes new collateral from now on. */
export const VaultDepositsSet = Schema.TaggedStruct("VaultDepositsSet", {
  at: Schema.Int,
  closed: Schema.Boolean
})
export type VaultDepositsSet = typeof VaultDepositsSet.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeVaultDeposits = eventDecoder(VaultDepositsSet)

/** Where it is recorded. */
export const VAULT_DEPOSITS_STREAM = "vault-deposits"

/** Closes the vault to new collateral or opens it: the ledger refuses the holds on behalf of a closed account. */
export const decideVaultDeposits = (closed: boolean, at: number): Entry<VaultDepositsSet> => ({
  commands: [{ _tag: closed ? "Close" : "Open", account: VAULT }],
  event: { _tag: "VaultDepositsSet", at, closed }
})
