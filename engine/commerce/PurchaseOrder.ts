/** A purchase order as its events make it. */

import { Schema } from "effect"
import { AccountId, accountId } from "../ledger/Account.ts"
import { Metadata } from "../metadata/Metadata.ts"
import { Amount, fromUnits } from "../money/Amount.ts"
import { Instalment } from "./InstalmentSchedule.ts"
import { isOnCredit, PaymentTerms } from "./PaymentTerms.ts"
import type { PurchaseOrderEvent } from "./PurchaseOrderEvent.ts"

/** How much of one product is bought, at what price. */
export const OrderLine = Schema.Struct({
  productId: Schema.String,
  /** The product's company. */
  sellerId: Schema.String,
  /** Where the line is paid. */
  wallet: AccountId,
  /** Whole pieces, at least 1. */
  quantity: Schema.Int,
  /** USD for one piece, more than 0. */
  unitPrice: Amount
})
export type OrderLine = typeof OrderLine.Type

/** The company that buys. */
export const Buyer = Schema.Struct({
  companyId: Schema.String,
  /** What of the buyer's credit is still free. */
  creditLimit: AccountId
})
export type Buyer = typeof Buyer.Type

/** What one company is owed for the lines that are paid into one of its wallets. */
export const SellerShare = Schema.Struct({
  sellerId: Schema.String,
  /** Where it is paid. */
  wallet: AccountId,
  subtotal: Amount
})
export type SellerShare = typeof SellerShare.Type

/** What the buyer says of an order that no rule looks at. */
export const OrderParticulars = Schema.Struct({ metadata: Schema.optionalKey(Metadata) })
export type OrderParticulars = typeof OrderParticulars.Type

export const particularsOf = ({ metadata }: OrderParticulars): OrderParticulars =>
  metadata === undefined ? {} : { metadata }

/** What was agreed when the order was placed; it never changes. */
export const PurchaseOrderTerms = Schema.Struct({
  orderId: Schema.String,
  buyer: Buyer,
  lines: Schema.Array(OrderLine),
  /** In the sequence in which the lines name them. */
  sellers: Schema.Array(SellerShare),
  total: Amount,
  paymentTerms: PaymentTerms,
  schedule: Schema.Array(Instalment),
  placedAt: Schema.Int,
  ...OrderParticulars.fields
})
export type PurchaseOrderTerms = typeof PurchaseOrderTerms.Type

export const PAYMENT_STATES = ["unpaid", "partially_paid", "paid", "refunded"] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

export const FULFILMENT_STATES = ["unfulfilled", "partially_fulfilled", "fulfilled", "cancelled"] as const
export type FulfilmentState = (typeof FULFILMENT_STATES)[number]

export const PURCHASE_ORDER_STATUSES = ["pending", "paid", "fulfilled", "cancelled"] as const
export type PurchaseOrderStatus = (typeof PURCHASE_ORDER_STATUSES)[number]

/** One payment and where it went. */
export const OrderPayment = Schema.Struct({
  paymentId: Schema.String,
  /** What it was paid from, and what it is refunded to. */
  from: AccountId,
  amount: Amount,
  /** Each seller's part, in the sequence of the terms' sellers. */
  parts: Schema.Array(Amount),
  /** The wallet that each part went to. */
  to: Schema.Array(AccountId),
  /** The numbers of the instalments that it paid. */
  instalments: Schema.Array(Schema.Int)
})
export type OrderPayment = typeof OrderPayment.Type

/** An order as its events make it. */
export interface PurchaseOrderState {
  readonly terms: PurchaseOrderTerms
  /** The number of events recorded. */
  version: number
  readonly payments: Array<OrderPayment>
  readonly paidInstalments: Set<number>
  /** The companies that have delivered. */
  readonly fulfilledBy: Set<string>
  isCancelled: boolean
}

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
  }
}

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
