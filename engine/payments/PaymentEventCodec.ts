import { Schema } from "effect"
import type { AccountId } from "../ledger/Account.ts"
import type { Amount } from "../money/Amount.ts"
import { CAPTURE_MODES, EXTENTS, PAYMENT_PROVIDERS } from "./Payment.ts"
import { type PaymentEvent, VOID_REASONS } from "./PaymentEvent.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>
const Account = Schema.String as unknown as Schema.Codec<AccountId, string>
const Text = Schema.NullOr(Schema.String)

const ofPayment = { at: Schema.Int, paymentId: Schema.String }

const Plan = Schema.Struct({
  paymentId: Schema.String,
  orderId: Schema.String,
  payer: Schema.Struct({ userId: Schema.String, companyId: Schema.String }),
  provider: Schema.Literals(PAYMENT_PROVIDERS),
  instrument: Text,
  amount: Money,
  extent: Schema.Literals(EXTENTS),
  capture: Schema.Literals(CAPTURE_MODES)
})

const Seller = Schema.Struct({ userId: Schema.String, companyId: Schema.String, wallet: Account, part: Money })

const Shares = Schema.Array(Schema.Struct({ companyId: Schema.String, wallet: Account, amount: Money }))

const PaymentEventSchema: Schema.Codec<PaymentEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("PaymentCreated", { at: Schema.Int, plan: Plan }),
  Schema.TaggedStruct("PaymentAuthorized", { ...ofPayment, reference: Text }),
  Schema.TaggedStruct("PaymentCaptureRequested", { ...ofPayment, userId: Text, requestId: Text }),
  Schema.TaggedStruct("PaymentVoidRequested", {
    ...ofPayment,
    userId: Text,
    requestId: Text,
    reason: Schema.Literals(VOID_REASONS)
  }),
  Schema.TaggedStruct("PaymentCaptured", ofPayment),
  Schema.TaggedStruct("PaymentFailed", { ...ofPayment, reason: Schema.String }),
  Schema.TaggedStruct("PaymentVoided", ofPayment),
  Schema.TaggedStruct("PaymentRefundRequested", {
    ...ofPayment,
    refundId: Schema.String,
    orderId: Schema.optionalKey(Schema.String),
    amount: Money,
    seller: Schema.NullOr(Seller)
  }),
  Schema.TaggedStruct("PaymentRefunded", { ...ofPayment, refundId: Schema.String }),
  Schema.TaggedStruct("PaymentRefundFailed", { ...ofPayment, refundId: Schema.String, reason: Schema.String }),
  Schema.TaggedStruct("PaymentDisputed", { ...ofPayment, disputeId: Schema.String, amount: Money }),
  Schema.TaggedStruct("PaymentDisputeWon", { ...ofPayment, disputeId: Schema.String }),
  Schema.TaggedStruct("PaymentDisputeLost", { ...ofPayment, disputeId: Schema.String, shares: Shares })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(PaymentEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodePaymentEvent = (data: string): PaymentEvent => fromJson(data)
