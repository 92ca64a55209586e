import type { FulfilmentState, PaymentState, PurchaseOrderStatus } from "../../../../engine/commerce/PurchaseOrder.ts"

/** An order, as far as it says what can be done with it. */
export interface ActableOrder {
  readonly buyerId: string
  readonly status: PurchaseOrderStatus
  readonly payment: PaymentState
  readonly fulfilment: FulfilmentState
  readonly isPrepaid: boolean
  /** Instalments that are not paid yet. */
  readonly openInstalments: number
  /** The sellers, as far as the reader sees them. */
  readonly sellers: ReadonlyArray<{ readonly companyId: string; readonly isFulfilled: boolean }>
}

/** What a company can do with an order now. */
export interface OpenActs {
  /** `parts`: the next instalment alone, or all that is left. */
  readonly pay: "no" | "whole" | "parts"
  readonly canFulfil: boolean
  readonly canCancel: boolean
  /** Why the reader's items cannot be delivered yet; null where they can, or there are none. */
  readonly fulfilWaitsFor: string | null
}

/** The acts that the server would take from the company. Specification 4.2; the server decides, this only offers. */
export const openActs = (order: ActableOrder, companyId: string): OpenActs => {
  const isBuyer = order.buyerId === companyId
  const own = order.sellers.find((seller) => seller.companyId === companyId)
  const isCancelled = order.status === "cancelled"
  const isPaid = order.payment === "paid" || order.payment === "refunded"
  const canDeliver = own !== undefined && !own.isFulfilled && !isCancelled
  const awaitsPayment = order.isPrepaid && !isPaid
  const open = order.openInstalments > 1 ? "parts" : "whole"
  return {
    pay: isBuyer && !isCancelled && !isPaid ? open : "no",
    canFulfil: canDeliver && !awaitsPayment,
    canCancel: (isBuyer || own !== undefined) && !isCancelled && order.fulfilment === "unfulfilled",
    fulfilWaitsFor: canDeliver && awaitsPayment ? "The order is prepaid: deliver it once it is paid." : null
  }
}
