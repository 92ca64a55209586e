/** A purchase order as its events make it. */

import { AccountId, accountId } from "../ledger/Account.ts"
import { Amount, fromUnits } from "../money/Amount.ts"
import type { Instalment } from "./InstalmentSchedule.ts"
import { isOnCredit } from "./PaymentTerms.ts"
import type { PurchaseOrderEvent } from "./PurchaseOrderEvent.ts"
import type { OrderParticulars, OrderPayment, PurchaseOrderTerms } from "./PurchaseOrderTerms.ts"

export const PAYMENT_STATES = ["unpaid", "partially_paid", "paid", "refunded"] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

export const FULFILMENT_STATES = ["unfulfilled", "partially_fulfilled", "fulfilled", "cancelled"] as const
export type FulfilmentState = (typeof FULFILMENT_STATES)[number]

export const PURCHASE_ORDER_STATUSES = ["pending", "paid", "fulfilled", "cancelled"] as const
export type PurchaseOrderStatus = (typeof PURCHASE_ORDER_STATUSES)[number]

/** An order as its events make it. */
export interface PurchaseOrderState {
  readonly terms: PurchaseOrderTerms
  /** The number of events recorded. */
  version: number
  readonly payments: Array<OrderPayment>
  readonly paidInstalments: Set<number>
  /** The instalments whose buyer was reminded, by their numbers. */
  readonly remindedOf: Set<number>
  /** The instalments that were found unpaid after their due date, whether or not they were paid since. */
  readonly foundOverdue: Set<number>
  /** The companies that have delivered. */
  readonly fulfilledBy: Set<string>
  isCancelled: boolean
}

/** What the buyer said of an order that no rule looks at, with nothing else. */
export const particularsOf = ({ metadata }: OrderParticulars): OrderParticulars =>
  metadata === undefined ? {} : { metadata }

/** The stream of an order's events. */
export const purchaseOrderStream = (orderId: string): string => `purchase/${orderId}`

/** What somebody may still owe, in USD; not money. */
export const creditLimitOf = (owner: string): AccountId => accountId(owner, CREDIT_ASSET, "credit_limit")

/** Counts what may be owed. */
export const CREDIT_ASSET = "USD-CREDIT"

/** The ledger's id of what a seller's lines reserve of its stock. */
export const stockMultiHold = (orderId: string, sellerId: string): string => `stock/${orderId}/${sellerId}`

/** The ledger's id of an instalment's hold on the credit limit. */
export const creditHold = (orderId: string, instalment: number): string => `credit/${orderId}/${instalment}`

export const placed = (terms: PurchaseOrderTerms): PurchaseOrderState => ({
  terms,
  version: 1,
  payments: [],
  paidInstalments: new Set(),
  remindedOf: new Set(),
  foundOverdue: new Set(),
  fulfilledBy: new Set(),
  isCancelled: false
})

/** Applies one recorded event to an order, in place. */
export const evolve = (state: PurchaseOrderState, event: PurchaseOrderEvent): void => {
  state.version += 1
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return
    case "PurchaseOrderPaid":
      state.payments.push(event.payment)
      for (const number of event.payment.instalments) state.paidInstalments.add(number)
      return
    case "PurchaseOrderFulfilled":
      state.fulfilledBy.add(event.companyId)
      return
    case "PurchaseOrderCancelled":
      state.isCancelled = true
      return
    case "PurchaseOrderPaymentDue":
      state.remindedOf.add(event.instalment)
      return
    case "PurchaseOrderOverdue":
      state.foundOverdue.add(event.instalment)
  }
}

/** Whether an instalment is overdue: it was found so, and nothing has ended that since. */
export const isOverdue = (
  { foundOverdue, isCancelled, paidInstalments }: PurchaseOrderState,
  { number }: Pick<Instalment, "number">
): boolean => foundOverdue.has(number) && !paidInstalments.has(number) && !isCancelled

/** What of an order is overdue, in USD. */
export const overdueAmountOf = (state: PurchaseOrderState): Amount =>
  fromUnits(state.terms.schedule.reduce((sum, one) => (isOverdue(state, one) ? sum + one.amount : sum), 0n))

/** What was paid so far, before any refund. */
export const paidOf = ({ payments }: PurchaseOrderState): Amount =>
  fromUnits(payments.reduce((sum, { amount }) => sum + amount, 0n))

/** What is still owed: nothing once the order is cancelled. */
export const unpaidOf = (state: PurchaseOrderState): Amount =>
  fromUnits(state.isCancelled ? 0n : state.terms.total - paidOf(state))

/** What of the buyer's credit limit the order uses. */
export const creditUsedOf = (state: PurchaseOrderState): Amount =>
  isOnCredit(state.terms.paymentTerms) ? unpaidOf(state) : fromUnits(0n)

export const paymentState = (state: PurchaseOrderState): PaymentState => {
  if (state.payments.length === 0) return "unpaid"
  if (state.isCancelled) return "refunded"
  return unpaidOf(state) === 0n ? "paid" : "partially_paid"
}

export const fulfilmentState = ({ fulfilledBy, isCancelled, terms }: PurchaseOrderState): FulfilmentState => {
  if (isCancelled) return "cancelled"
  if (fulfilledBy.size === 0) return "unfulfilled"
  return fulfilledBy.size === sellerIdsOf(terms).size ? "fulfilled" : "partially_fulfilled"
}

/** The companies that sell something of the order. */
export const sellerIdsOf = ({ sellers }: PurchaseOrderTerms): ReadonlySet<string> =>
  new Set(sellers.map(({ sellerId }) => sellerId))

/** pending → paid → fulfilled, or cancelled before any of it is fulfilled. On credit an order may be fulfilled unpaid. */
export const statusOf = (state: PurchaseOrderState): PurchaseOrderStatus => {
  if (state.isCancelled) return "cancelled"
  if (fulfilmentState(state) === "fulfilled") return "fulfilled"
  return paymentState(state) === "paid" ? "paid" : "pending"
}
