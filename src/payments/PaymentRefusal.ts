import { Data } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"
import type { PaymentError } from "../../engine/payments/PaymentError.ts"
import type { PaymentProviderName } from "../../engine/payments/Payment.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"

/** not_found: the caller's company takes part in no order of this id. */
export class NoSuchOrder extends Data.TaggedError("NoSuchOrder")<{ readonly orderId: string }> {}

/** not_found: the caller sees no payment of this id. */
export class NoSuchPayment extends Data.TaggedError("NoSuchPayment")<{ readonly paymentId: string }> {}

/** access_denied: the act belongs to another party of the order. */
export class WrongParty extends Data.TaggedError("WrongParty")<{ readonly party: "buyer" | "seller" }> {}

/** conflict: the order takes no payment any more. */
export class NothingToPay extends Data.TaggedError("NothingToPay")<{ readonly orderId: string }> {}

/** conflict: so many payments of the order are under way that no further one begins. */
export class TooManyOpen extends Data.TaggedError("TooManyOpen")<{ readonly most: number }> {}

/** unprocessable: the provider is not there in this mode or without its settings. */
export class ProviderMissing extends Data.TaggedError("ProviderMissing")<{
  readonly provider: PaymentProviderName
  readonly available: ReadonlyArray<PaymentProviderName>
}> {}

/** invalid_request: the provider does not take the instrument. Nothing of it is repeated. */
export class InstrumentRefused extends Data.TaggedError("InstrumentRefused")<{ readonly expected: string }> {}

/** unprocessable: cards pay whole cents. */
export class NotWholeCents extends Data.TaggedError("NotWholeCents")<{ readonly amount: Amount }> {}

/** unprocessable: the request's key was used for another request. */
export class KeyUsed extends Data.TaggedError("KeyUsed")<Record<never, never>> {}

/** conflict: before anything is fulfilled the order is cancelled, not refunded. */
export class CancelInstead extends Data.TaggedError("CancelInstead")<{ readonly orderId: string }> {}

/** unprocessable: the wallet that was paid has less than is given back. */
export class WalletTooLow extends Data.TaggedError("WalletTooLow")<{ readonly available: Amount }> {}

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
