import { type Amount, format } from "../money/Amount.ts"
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
export class RefundTooLarge extends refusal(
  "RefundTooLarge",
  "unprocessable",
  ({ left }: { readonly left: Amount }) => `At most ${format(left)} USD can be given back: ask for less.`
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
