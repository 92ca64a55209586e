import { Schema } from "effect"
import { OrderPayment, PurchaseOrderTerms } from "./PurchaseOrderTerms.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Who acted: the user behind the request, and its company. */
const act = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  userId: Schema.String,
  companyId: Schema.String
}

/** The stock is reserved, and on credit terms the buyer's limit. */
export const PurchaseOrderPlaced = Schema.TaggedStruct("PurchaseOrderPlaced", {
  ...act,
  terms: PurchaseOrderTerms
})
export type PurchaseOrderPlaced = typeof PurchaseOrderPlaced.Type

/** The sellers have their parts. */
export const PurchaseOrderPaid = Schema.TaggedStruct("PurchaseOrderPaid", {
  ...act,
  orderId: Schema.String,
  payment: OrderPayment
})
export type PurchaseOrderPaid = typeof PurchaseOrderPaid.Type

/** One seller's goods have left its stock. */
export const PurchaseOrderFulfilled = Schema.TaggedStruct("PurchaseOrderFulfilled", {
  ...act,
  orderId: Schema.String
})
export type PurchaseOrderFulfilled = typeof PurchaseOrderFulfilled.Type

/** Stock and limit are free again, and what was paid is back where it came from. */
export const PurchaseOrderCancelled = Schema.TaggedStruct("PurchaseOrderCancelled", {
  ...act,
  orderId: Schema.String,
  reason: Schema.String
})
export type PurchaseOrderCancelled = typeof PurchaseOrderCancelled.Type

/** What the platform finds out by itself when an instalment's date comes near, or has passed. */
const found = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  userId: Schema.Null,
  /** The company that buys. */
  companyId: Schema.String,
  orderId: Schema.String,
  /** Its number. */
  instalment: Schema.Int
}

/** An unpaid instalment is due before long: its buyer is reminded, once. */
export const PurchaseOrderPaymentDue = Schema.TaggedStruct("PurchaseOrderPaymentDue", found)
export type PurchaseOrderPaymentDue = typeof PurchaseOrderPaymentDue.Type

/** An instalment's due date has passed and it is not paid. */
export const PurchaseOrderOverdue = Schema.TaggedStruct("PurchaseOrderOverdue", found)
export type PurchaseOrderOverdue = typeof PurchaseOrderOverdue.Type

/** What the platform finds out of an instalment by itself. */
export type FoundEvent = PurchaseOrderPaymentDue | PurchaseOrderOverdue

export const PurchaseOrderEvent = Schema.Union([
  PurchaseOrderPlaced,
  PurchaseOrderPaid,
  PurchaseOrderFulfilled,
  PurchaseOrderCancelled,
  PurchaseOrderPaymentDue,
  PurchaseOrderOverdue
])
export type PurchaseOrderEvent = typeof PurchaseOrderEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodePurchaseOrderEvent = eventDecoder(PurchaseOrderEvent)
