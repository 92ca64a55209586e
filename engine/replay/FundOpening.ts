import { accountParts } from "../ledger/Account.ts"
import { walletOf } from "../ledger/Funding.ts"
import type { StateRow } from "./StateTable.ts"
import type { PlatformEvent } from "./PlatformEvent.ts"
import { assetsOf } from "../transfers/TransferDecision.ts"

type Tag = PlatformEvent["_tag"]

/** An owner that has an asset from an event on, whether it had it before or not. */
export interface OpenedFund {
  readonly owner: string
  readonly asset: string
  /** The id of the fund where it is a new one; undefined for the usual one. */
  readonly fundId: string | undefined
}

type Opening = {
  readonly [T in Tag]?: (event: Extract<PlatformEvent, { readonly _tag: T }>) => ReadonlyArray<OpenedFund>
}

/** Everything that pays into owners' wallets, which must not have money without a fund that shows it. */
const OPENINGS: Opening = {
  FundsMinted: ({ asset, fundId, owner }) => [{ owner, asset, fundId }],
  MoneyTransferred: (event) =>
    event.payout ? [] : [{ owner: event.recipient, asset: assetsOf(event).got, fundId: undefined }],
  PurchaseOrderPaid: ({ payment: { parts, to } }) =>
    to
      .filter((_, index) => (parts[index] ?? 0n) > 0n)
      .map(accountParts)
      .map(({ asset, owner }) => ({ owner, asset, fundId: undefined }))
}

/** The kinds of events that may open funds. */
export const OPENING_KINDS = Object.keys(OPENINGS) as ReadonlyArray<Tag>

/** A fund: who owns which asset by which name. */
export const fundRow = (id: string, owner: string, asset: string, at: number): StateRow => ({
  table: "funds",
  values: [id, owner, asset, walletOf(owner, asset), `${at}`]
})

/** The owners and assets that an event makes funds of where there are none. */
export const openedFunds = (event: PlatformEvent): ReadonlyArray<OpenedFund> =>
  (OPENINGS[event._tag] as ((event: PlatformEvent) => ReadonlyArray<OpenedFund>) | undefined)?.(event) ?? []
