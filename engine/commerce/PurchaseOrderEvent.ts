import type { OrderPayment, PurchaseOrderTerms } from "./PurchaseOrder.ts"

/** Who acted: the user behind the request, and its company. */
interface Act {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly userId: string
  readonly companyId: string
}

/** The stock is reserved, and on credit terms the buyer's limit. */
export interface PurchaseOrderPlaced extends Act {
  readonly _tag: "PurchaseOrderPlaced"
  readonly terms: PurchaseOrderTerms
}

/** The sellers have their parts. */
export interface PurchaseOrderPaid extends Act {
  readonly _tag: "PurchaseOrderPaid"
  readonly orderId: string
  readonly payment: OrderPayment
}

/** One seller's goods have left its stock. */
export interface PurchaseOrderFulfilled extends Act {
  readonly _tag: "PurchaseOrderFulfilled"
  readonly orderId: string
}

/** Stock and limit are free again, and what was paid is back where it came from. */
export interface PurchaseOrderCancelled extends Act {
  readonly _tag: "PurchaseOrderCancelled"
  readonly orderId: string
  readonly reason: string
}

export type PurchaseOrderEvent =
  | PurchaseOrderPlaced
  | PurchaseOrderPaid
  | PurchaseOrderFulfilled
  | PurchaseOrderCancelled
