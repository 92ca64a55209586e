import { type Amount, format } from "../money/Amount.ts"
import type { FulfilmentState, PurchaseOrderStatus } from "./PurchaseOrder.ts"
import { refusal } from "../wire/Refusal.ts"

/** The lines cannot be bought as they are. */
export class InvalidOrder extends refusal(
  "InvalidOrder",
  "unprocessable",
  ({ expected, field }: { readonly field: string; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

const DONE = { pay: "paid", fulfil: "fulfilled", cancel: "cancelled" } as const

/** The caller has no part in this act. */
export class NotAParty extends refusal(
  "NotAParty",
  "access_denied",
  ({ role }: { readonly role: "buyer" | "seller" | "buyer or seller" }) => `Only the order's ${role} may do that.`
) {}

/** An order in this state does not take the act. */
export class IllegalOrderAct extends refusal(
  "IllegalOrderAct",
  "conflict",
  ({
    act,
    fulfilment,
    status
  }: {
    readonly act: "pay" | "fulfil" | "cancel"
    readonly status: PurchaseOrderStatus
    readonly fulfilment: FulfilmentState
  }) => `The order is ${status} and ${fulfilment}: it cannot be ${DONE[act]} now.`
) {}

/** A prepaid order is fulfilled only when it is paid. */
export class PaymentFirst extends refusal(
  "PaymentFirst",
  "conflict",
  ({ unpaid }: { readonly unpaid: Amount }) =>
    `A prepaid order is paid before it is fulfilled: ${format(unpaid)} USD are missing.`
) {}

export type PurchaseOrderError = InvalidOrder | NotAParty | IllegalOrderAct | PaymentFirst
