import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"
import { INTERVALS } from "./Period.ts"
import { CANCEL_REASONS, FAILURE_REASONS, type SubscriptionEvent } from "./SubscriptionEvent.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const Side = Schema.Struct({ companyId: Schema.String, userId: Schema.String })

const Terms = Schema.Struct({
  subscriptionId: Schema.String,
  buyer: Side,
  seller: Side,
  productId: Schema.String,
  quantity: Schema.Int,
  unitPrice: Money,
  every: Schema.Literals(INTERVALS),
  periods: Schema.NullOr(Schema.Int),
  startAt: Schema.Int
})

const act = {
  at: Schema.Int,
  userId: Schema.NullOr(Schema.String),
  companyId: Schema.String,
  subscriptionId: Schema.String
}

const Time = Schema.NullOr(Schema.Int)

const SubscriptionEventSchema: Schema.Codec<SubscriptionEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("SubscriptionCreated", { ...act, terms: Terms, charged: Schema.Boolean, nextAt: Time }),
  Schema.TaggedStruct("SubscriptionRenewed", { ...act, period: Schema.Int, amount: Money, nextAt: Time }),
  Schema.TaggedStruct("SubscriptionPaymentFailed", {
    ...act,
    period: Schema.Int,
    amount: Money,
    reason: Schema.Literals(FAILURE_REASONS),
    failures: Schema.Int,
    retryAt: Time
  }),
  Schema.TaggedStruct("SubscriptionEndSet", { ...act, endsAt: Schema.Int }),
  Schema.TaggedStruct("SubscriptionCancelled", { ...act, reason: Schema.Literals(CANCEL_REASONS) })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(SubscriptionEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeSubscriptionEvent = (data: string): SubscriptionEvent => fromJson(data)
