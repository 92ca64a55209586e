import { Data } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { FulfilmentState, PurchaseOrderStatus } from "./PurchaseOrder.ts"

/** unprocessable: the lines cannot be bought as they are. */
export class InvalidOrder extends Data.TaggedError("InvalidOrder")<{
  readonly field: string
  readonly expected: string
}> {}

/** access_denied: the caller has no part in this act. */
export class NotAParty extends Data.TaggedError("NotAParty")<{
  readonly role: "buyer" | "seller" | "buyer or seller"
}> {}

/** conflict: an order in this state does not take the act. */
export class IllegalOrderAct extends Data.TaggedError("IllegalOrderAct")<{
  readonly act: "pay" | "fulfil" | "cancel"
  readonly status: PurchaseOrderStatus
  readonly fulfilment: FulfilmentState
}> {}

/** conflict: a prepaid order is fulfilled only when it is paid. */
export class PaymentFirst extends Data.TaggedError("PaymentFirst")<{ readonly unpaid: Amount }> {}

export type PurchaseOrderError = InvalidOrder | NotAParty | IllegalOrderAct | PaymentFirst
