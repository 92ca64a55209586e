import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { toNumber } from "../money/Amount.ts"
import { INTERVALS } from "./Period.ts"
import { priceOf, SUBSCRIPTION_STATUSES, type SubscriptionState } from "./Subscription.ts"
import { CANCEL_REASONS } from "./SubscriptionEvent.ts"
import { Time, timeText, timeTextOrNull, Usd } from "../wire/WireValue.ts"

const fields = {
  id: Schema.String,
  company_id: Schema.String.annotate({ description: "The buyer." }),
  user_id: Schema.String.annotate({ description: "Whose USD wallet pays." }),
  seller_company_id: Schema.String,
  product_id: Schema.String,
  quantity: Schema.Int,
  unit_price: Usd.annotate({ description: "USD for a piece, fixed when it was made." }),
  price: Usd.annotate({ description: "USD a period." }),
  currency: Schema.Literal("USD"),
  interval: Schema.Literals(INTERVALS),
  periods: Schema.NullOr(Schema.Int),
  start: Time,
  status: Schema.Literals(SUBSCRIPTION_STATUSES),
  paid_periods: Schema.Int,
  failures: Schema.Int.annotate({ description: "How often the period that is due could not be charged." }),
  next_at: Schema.NullOr(Time).annotate({
    description: "When the next period is due, or a failed one is tried again."
  }),
  cancel_at: Schema.NullOr(Time).annotate({
    description: "When it ends, where it was cancelled for the end of a period."
  }),
  ended_at: Schema.NullOr(Time),
  end_reason: Schema.NullOr(Schema.Literals(CANCEL_REASONS)),
  metadata: Metadata.annotate({ description: "What the buyer keeps with it by keys of its own." }),
  created_at: Time
}

/** A subscription as `GET /v1/subscriptions/{id}` answers it: its webhook object without what every object begins with. */
export const SubscriptionAnswer = Schema.Struct(fields).annotate({ identifier: "Subscription" })

/** A subscription in a webhook's body: `GET /v1/subscriptions/{id}`, and its price as `amount` too. */
export const SubscriptionObject = Schema.Struct({
  object: Schema.Literal("subscription"),
  amount: Usd.annotate({ description: "USD a period, the same as `price`." }),
  ...fields
}).annotate({ identifier: "Subscription", description: "A subscription, as GET /v1/subscriptions/{id} answers it." })

export type SubscriptionObject = typeof SubscriptionObject.Type

/** A subscription as its buyer and its seller see it. */
export const subscriptionObject = (state: SubscriptionState): SubscriptionObject => {
  const { terms } = state
  const price = toNumber(priceOf(terms))
  return {
    id: terms.subscriptionId,
    object: "subscription",
    company_id: terms.buyer.companyId,
    status: state.status,
    amount: price,
    currency: "USD",
    created_at: timeText(state.createdAt),
    user_id: terms.buyer.userId,
    seller_company_id: terms.seller.companyId,
    product_id: terms.productId,
    quantity: terms.quantity,
    unit_price: toNumber(terms.unitPrice),
    price,
    interval: terms.every,
    periods: terms.periods,
    start: timeText(terms.startAt),
    paid_periods: state.paidPeriods,
    failures: state.failures,
    next_at: timeTextOrNull(state.nextAt),
    cancel_at: timeTextOrNull(state.endsAt),
    ended_at: timeTextOrNull(state.endedAt),
    end_reason: state.endReason,
    metadata: terms.metadata ?? {}
  }
}
