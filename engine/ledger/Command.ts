/** The ledger's commands: transfers, holds, captures and the like. */

import type { Amount } from "../money/Amount.ts"
import type { AccountId } from "./Account.ts"

/** Why money moved. Kept on every transfer. */
export type Purpose =
  | "mint"
  | "capital"
  | "settlement"
  | "yield"
  | "insurance"
  | "allowance"
  | "purchase"
  | "refund"
  | "goods"
  | "transfer"
  | "exchange"
  | "withdrawal"
  | "credit"
  | "credits"
  | "collateral"

/** Moves available money. Refused when `from` does not have it. `amount` > 0. */
export interface Transfer {
  readonly _tag: "Transfer"
  readonly id: string
  readonly from: AccountId
  readonly to: AccountId
  readonly amount: Amount
  readonly purpose: Purpose
}

/** Reserves available money of `account` on behalf of `into` until it is captured or released, exactly once. */
export interface Hold {
  readonly _tag: "Hold"
  readonly id: string
  readonly account: AccountId
  readonly into: AccountId
  readonly amount: Amount
  /** While this account is closed, the hold is refused. */
  readonly gate?: AccountId
}

/** Ends a hold without moving money. */
export interface Release {
  readonly _tag: "Release"
  readonly hold: string
}

/** Ends a hold by moving `amount` of it (0 < amount ≤ held) to `to`; the rest is released in the same posting. */
export interface Capture {
  readonly _tag: "Capture"
  readonly hold: string
  readonly to: AccountId
  readonly amount: Amount
  readonly purpose: Purpose
}

/** What a multi-hold reserves of one account. */
export interface MultiHoldPart {
  readonly account: AccountId
  readonly amount: Amount
}

/**
 * Reserves available units of several accounts together, for the world outside, until all of it is taken out or
 * released, exactly once. One multi-hold is one row where as many holds would be one each.
 */
export interface PlaceMultiHold {
  readonly _tag: "PlaceMultiHold"
  readonly id: string
  /** At least one. */
  readonly parts: ReadonlyArray<MultiHoldPart>
}

/** Ends a multi-hold without moving anything. */
export interface ReleaseMultiHold {
  readonly _tag: "ReleaseMultiHold"
  readonly multiHold: string
}

/** Ends a multi-hold by moving every part to custody. */
export interface TakeMultiHold {
  readonly _tag: "TakeMultiHold"
  readonly multiHold: string
  readonly purpose: Purpose
}

/**
 * Pays `amount` to `to` from the sources in their order, as far as they reach. What is missing becomes a receivable
 * with this `id`, all of it where `to` is closed: the payment never fails.
 */
export interface Cover {
  readonly _tag: "Cover"
  readonly id: string
  readonly sources: ReadonlyArray<AccountId>
  readonly to: AccountId
  readonly amount: Amount
  readonly purpose: Purpose
}

/** Closes an account or opens it again; nothing changes where it is so already. */
export interface Turn {
  readonly _tag: "Close" | "Open"
  readonly account: AccountId
}

export type Command =
  | Transfer
  | Hold
  | Release
  | Capture
  | PlaceMultiHold
  | ReleaseMultiHold
  | TakeMultiHold
  | Cover
  | Turn
