import { type Amount, format, ZERO } from "../money/Amount.ts"
import type { PaymentEvent } from "./PaymentEvent.ts"
import type { PaymentStage } from "./Payment.ts"
import { refusal } from "../wire/Refusal.ts"

/** A payment in this state does not take the act. */
export class IllegalPaymentAct extends refusal(
  "IllegalPaymentAct",
  "conflict",
  ({ stage }: { readonly act: PaymentEvent["_tag"]; readonly stage: PaymentStage | "none" }) =>
    `A payment that is ${stage} does not take that: read it and decide again.`
) {}

/** Only `left` can be given back. */
export class RefundTooLarge extends refusal("RefundTooLarge", "unprocessable", ({ left }: { readonly left: Amount }) =>
  left === ZERO
    ? "Everything that was paid has been given back: nothing is left of it."
    : `At most ${format(left)} USD can be given back: ask for less.`
) {}

/** The payer's bank decides, or has decided, about the money. */
export class PaymentContested extends refusal(
  "PaymentContested",
  "conflict",
  () => "The payer's bank decides about this payment: nothing can be given back."
) {}

/** There were as many refunds as one payment takes. */
export class TooManyRefunds extends refusal(
  "TooManyRefunds",
  "unprocessable",
  ({ most }: { readonly most: number }) => `A payment is given back in at most ${most} parts.`
) {}

export type PaymentError = IllegalPaymentAct | RefundTooLarge | PaymentContested | TooManyRefunds

/** The act belongs to another party of the order. */
export class WrongParty extends refusal(
  "WrongParty",
  "access_denied",
  ({ party }: { readonly party: "buyer" | "seller" }) => `Only the ${party} of the order may do that.`
) {}

/** The order takes no payment any more. */
export class NothingToPay extends refusal(
  "NothingToPay",
  "conflict",
  ({ orderId }: { readonly orderId: string }) => `The order ${orderId} is paid or cancelled: nothing is left to pay.`
) {}

/** So many payments of the order are under way that no further one begins. */
export class TooManyOpen extends refusal(
  "TooManyOpen",
  "conflict",
  ({ most }: { readonly most: number }) => `${most} payments of the order are under way: wait for them, or void some.`
) {}

/** Cards pay whole cents. */
export class NotWholeCents extends refusal(
  "NotWholeCents",
  "unprocessable",
  ({ amount }: { readonly amount: Amount }) => `Cards pay whole cents, and ${format(amount)} USD are not.`
) {}

/** The request's key was used for another request. */
export class KeyUsed extends refusal(
  "KeyUsed",
  "conflict",
  () => "This Idempotency-Key belongs to another payment: send a new key."
) {}

/** Before anything is fulfilled the order is cancelled, not refunded. */
export class CancelInstead extends refusal(
  "CancelInstead",
  "conflict",
  ({ orderId }: { readonly orderId: string }) => `Nothing of the order ${orderId} is fulfilled: cancel it instead.`
) {}

/** The order has nothing of the payment that the caller's company could give back. */
export class NothingPaid extends refusal(
  "NothingPaid",
  "unprocessable",
  () => "The order has nothing of this payment for the company: nothing can be given back."
) {}

/** The wallet that was paid has less than is given back. */
export class WalletTooLow extends refusal(
  "WalletTooLow",
  "unprocessable",
  ({ available }: { readonly available: Amount }) =>
    `The wallet that was paid has ${format(available)} USD: add funds, or ask for less.`
) {}

/** Why a payment that somebody asks for is not begun, taken, let go or given back. */
export type PaymentRequestError =
  | WrongParty
  | NothingToPay
  | TooManyOpen
  | NotWholeCents
  | KeyUsed
  | CancelInstead
  | NothingPaid
  | WalletTooLow
