import { Data } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { PaymentEvent } from "./PaymentEvent.ts"
import type { PaymentStage } from "./Payment.ts"

/** conflict: a payment in this state does not take the act. */
export class IllegalPaymentAct extends Data.TaggedError("IllegalPaymentAct")<{
  readonly act: PaymentEvent["_tag"]
  readonly stage: PaymentStage | "none"
}> {}

/** unprocessable: only `left` can be given back. */
export class RefundTooLarge extends Data.TaggedError("RefundTooLarge")<{ readonly left: Amount }> {}

/** conflict: the payer's bank decides, or has decided, about the money. */
export class PaymentContested extends Data.TaggedError("PaymentContested")<Record<never, never>> {}

/** unprocessable: there were as many refunds as one payment takes. */
export class TooManyRefunds extends Data.TaggedError("TooManyRefunds")<{ readonly most: number }> {}

export type PaymentError = IllegalPaymentAct | RefundTooLarge | PaymentContested | TooManyRefunds
