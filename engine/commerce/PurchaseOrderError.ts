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

/** Both in words, and once where they are the same. */
const standing = (status: PurchaseOrderStatus, fulfilment: FulfilmentState): string =>
  status === fulfilment ? status : `${status} and ${fulfilment.replace("_", " ")}`

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
  }) => `The order is ${standing(status, fulfilment)}: it cannot be ${DONE[act]} now.`
) {}

/** A prepaid order is fulfilled only when it is paid. */
export class PaymentFirst extends refusal(
  "PaymentFirst",
  "conflict",
  ({ unpaid }: { readonly unpaid: Amount }) =>
    `A prepaid order is paid before it is fulfilled: ${format(unpaid)} USD are missing.`
) {}

export type PurchaseOrderError = InvalidOrder | NotAParty | IllegalOrderAct | PaymentFirst

/** An item names what is no product. */
export class ItemNotFound extends refusal(
  "ItemNotFound",
  "unprocessable",
  ({
    index,
    productId
  }: {
    readonly productId: string
    /** Its place among the items, from 0. */
    readonly index: number
  }) => `payload.items.${index}.product_id: Expected a product; there is no ${productId}.`
) {}

/** Fewer pieces of a product are for sale than the order takes. */
export class OutOfStock extends refusal(
  "OutOfStock",
  "conflict",
  ({ left, productId }: { readonly productId: string; readonly left: number }) =>
    `There are ${left} pieces of ${productId} left: order at most that many.`
) {}

/** The buyer's free credit limit does not cover the order. */
export class CreditExceeded extends refusal(
  "CreditExceeded",
  "unprocessable",
  ({ free }: { readonly free: Amount }) =>
    `The free credit limit is ${format(free)} USD: order for at most that, repay something, or order prepaid.`
) {}

const andMore = (count: number): string =>
  count === 0 ? "" : count === 1 ? " and another order" : ` and ${count} other orders`

/** The company that buys, or that of the credit limit, owes what is overdue. */
export class CreditFrozen extends refusal(
  "CreditFrozen",
  "credit_frozen",
  ({ first, others, owed }: { readonly owed: Amount; readonly first: string; readonly others: number }) =>
    `${format(owed)} USD of ${first}${andMore(others)} are overdue: ` +
    "pay them with POST /v1/orders/{id}/pay first, or order prepaid."
) {}

/** What the order is paid from has less than the payment needs. */
export class WalletShort extends refusal(
  "WalletShort",
  "unprocessable",
  ({ available, needed }: { readonly available: Amount; readonly needed: Amount }) =>
    `The payment needs ${format(needed)} USD and ${format(available)} are available: add funds first.`
) {}

/** A seller has no longer what it would have to give back. */
export class RefundShort extends refusal<"RefundShort", "conflict", { readonly sellerWallet: string }>(
  "RefundShort",
  "conflict",
  () => "A seller has no longer the money to give back: the order cannot be cancelled until it has."
) {}

/** What is missing for an order: a product, pieces of one, credit, or money. */
export type OrderShortage = ItemNotFound | OutOfStock | CreditExceeded | CreditFrozen | WalletShort | RefundShort
