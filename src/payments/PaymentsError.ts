import type { PaymentError, PaymentRequestError } from "../../engine/payments/PaymentError.ts"
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

export type PaymentRefused =
  | NoSuchOrder
  | NoSuchPayment
  | ProviderMissing
  | InstrumentRefused
  | MoneyGateClosed
  | PaymentError
  | PaymentRequestError
