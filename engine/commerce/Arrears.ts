/** What a company owes that is overdue, and what keeps an order on credit from being placed beside that. */

import { type Amount, fromUnits } from "../money/Amount.ts"
import type { FoundEvent } from "./PurchaseOrderEvent.ts"
import { overdueAmountOf, type PurchaseOrderState } from "./PurchaseOrder.ts"

/** What is overdue of all orders that concern a company: it buys, or one of its users has the credit limit. */
export interface Arrears {
  readonly companyId: string
  /** The number of the last instalment that was found overdue, paid since or not; 0 before the first. */
  readonly last: number
  /** USD. */
  readonly owed: Amount
  /** The oldest order that something is owed of; undefined where nothing is. */
  readonly first: string | undefined
  /** How many others there are. */
  readonly others: number
}

/** Whether a company has to pay before anything is ordered on credit for it, or on a limit of its users. */
export const isFrozen = ({ first }: Arrears): boolean => first !== undefined

/** What a company owes of orders that concern it, of which the last that was found overdue had this number. */
export const arrearsIn = (companyId: string, last: number, orders: ReadonlyArray<PurchaseOrderState>): Arrears => {
  const owing = orders
    .filter((state) => overdueAmountOf(state) > 0n)
    .toSorted(
      ({ terms: one }, { terms: other }) => one.placedAt - other.placedAt || (one.orderId < other.orderId ? -1 : 1)
    )
  return {
    companyId,
    last,
    owed: fromUnits(owing.reduce((sum, state) => sum + overdueAmountOf(state), 0n)),
    first: owing[0]?.terms.orderId,
    others: Math.max(0, owing.length - 1)
  }
}

/** What the names begin with that instalments take which are found overdue of a company. */
export const foundPrefix = (companyId: string): string => `overdue/${companyId}/`

/** Digits of a number in a name, so that names have the order of their numbers. */
const DIGITS = 9

/**
 * The name that the next instalment takes that is found overdue of a company. Who places an order on credit counts on it as
 * not taken: what was read of the company's arrears then holds where the order stands in the journal.
 */
export const nextFound = ({ companyId, last }: Pick<Arrears, "companyId" | "last">): string =>
  foundPrefix(companyId) + String(last + 1).padStart(DIGITS, "0")

/** The number in the last name that was taken of a company; 0 where none was. */
export const lastFound = (name: string | null): number =>
  name === null ? 0 : Number(name.slice(name.lastIndexOf("/") + 1))

/** What recording a step claims, of each company that the order concerns. */
export const claimsOf = (
  { _tag }: FoundEvent,
  concerned: ReadonlyArray<Pick<Arrears, "companyId" | "last">>
): ReadonlyArray<string> => (_tag === "PurchaseOrderOverdue" ? concerned.map(nextFound) : [])
