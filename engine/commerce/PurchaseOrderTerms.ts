/** What is agreed when an order is placed, and what is paid of it. */

import { Schema } from "effect"
import { AccountId } from "../ledger/Account.ts"
import { Metadata } from "../metadata/Metadata.ts"
import { Amount } from "../money/Amount.ts"
import { Instalment } from "./InstalmentSchedule.ts"
import { PaymentTerms } from "./PaymentTerms.ts"

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
