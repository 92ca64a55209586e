/** The ledger's accounts: an owner, an asset and a kind. */

import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"

/**
 * What an account is for.
 *
 * - `custody`: the world outside, the only kind that may be negative; it mirrors all money inside.
 * - `wallet`: an owner's money.
 * - `allowance`: what a machine trader may still lose; no money moves through it; closed while a bot may not commit.
 * - `vault`: where collateral is held; closed when it takes no new deposits.
 * - `stock`: the pieces of a product that its seller has.
 * - `credit_limit`: what a buyer may still owe; no money moves through it.
 * - `fx_desk`: what the platform exchanges currencies with.
 * - `credits_free`, `credits_paid`: what a company may still evaluate orders with.
 * - `yield_source`, `insurance`, `platform`, `token_holders`: the parties to the vault's yield.
 */
export type AccountKind =
  | "custody"
  | "wallet"
  | "allowance"
  | "vault"
  | "stock"
  | "credit_limit"
  | "fx_desk"
  | "credits_free"
  | "credits_paid"
  | "yield_source"
  | "insurance"
  | "platform"
  | "token_holders"

/** `owner/asset/kind`, the account's identity and its place in the order of locks. */
export type AccountId = `${string}/${string}/${AccountKind}`

/** As JSON has it. Nothing is checked: what is read was written by the platform. */
export const AccountId = Schema.String as unknown as Schema.Codec<AccountId, string>

export interface Account {
  readonly id: AccountId
  /** All that was posted to it. Negative only for custody. */
  readonly balance: Amount
  /** The part of the balance that holds reserve; 0 ≤ held ≤ balance. */
  readonly held: Amount
  /** A closed account takes no new holds, on it or for it, and no credits unless it is an allowance. */
  readonly closed: boolean
}

/** The owner of the platform's own accounts. */
export const PLATFORM = "platform"

export const accountId = (owner: string, asset: string, kind: AccountKind): AccountId => `${owner}/${asset}/${kind}`

export interface AccountParts {
  readonly owner: string
  readonly asset: string
  readonly kind: AccountKind
}

/** The second part of an id. */
export const assetOf = (id: AccountId): string => {
  const kindAt = id.lastIndexOf("/")
  return id.slice(id.lastIndexOf("/", kindAt - 1) + 1, kindAt)
}

export const accountParts = (id: AccountId): AccountParts => {
  const kindAt = id.lastIndexOf("/")
  const assetAt = id.lastIndexOf("/", kindAt - 1)
  return {
    owner: id.slice(0, assetAt),
    asset: id.slice(assetAt + 1, kindAt),
    kind: id.slice(kindAt + 1) as AccountKind
  }
}
