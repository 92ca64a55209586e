import { type Amount, format } from "../../engine/money/Amount.ts"
import type { PaymentError } from "../../engine/payments/PaymentError.ts"
import type { PaymentProviderName } from "../../engine/payments/PaymentPlan.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** The caller's company takes part in no order of this id. */
export class NoSuchOrder extends refusal(
  "NoSuchOrder",
  "not_found",
  ({ orderId }: { readonly orderId: string }) => `There is no order ${orderId} of yours.`
) {}

/** The caller sees no payment of this id. */
export class NoSuchPayment extends refusal(
  "NoSuchPayment",
  "not_found",
  ({ paymentId }: { readonly paymentId: string }) => `There is no payment ${paymentId} of yours.`
) {}

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

/** The provider is not there in this mode or without its settings. */
export class ProviderMissing extends refusal(
  "ProviderMissing",
  "unprocessable",
  ({
    available,
    provider
  }: {
    readonly provider: PaymentProviderName
    readonly available: ReadonlyArray<PaymentProviderName>
  }) => `The provider ${provider} is not available here: use ${available.join(" or ")}.`
) {}

/** The provider does not take the instrument. Nothing of it is repeated. */
export class InstrumentRefused extends refusal(
  "InstrumentRefused",
  "invalid_request",
  ({ expected }: { readonly expected: string }) => `payload.instrument: Expected ${expected}`
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

/** The wallet that was paid has less than is given back. */
export class WalletTooLow extends refusal(
  "WalletTooLow",
  "unprocessable",
  ({ available }: { readonly available: Amount }) =>
    `The wallet that was paid has ${format(available)} USD: add funds, or ask for less.`
) {}

export type PaymentRefused =
  | NoSuchOrder
  | NoSuchPayment
  | WrongParty
  | NothingToPay
  | TooManyOpen
  | ProviderMissing
  | InstrumentRefused
  | NotWholeCents
  | KeyUsed
  | CancelInstead
  | WalletTooLow
  | MoneyGateClosed
  | PaymentError
