import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { INTERVALS } from "../../engine/subscriptions/Period.ts"
import { RETRY_DAYS, SUBSCRIPTION_STATUSES } from "../../engine/subscriptions/Subscription.ts"
import { MOST_PERIODS, MOST_PIECES } from "../../engine/subscriptions/SubscriptionDecision.ts"
import { SubscriptionAnswer } from "../../engine/subscriptions/SubscriptionObject.ts"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, scopes } from "./Authorization.ts"
import { MetadataFilter, NewMetadata } from "./Metadata.ts"
import { AmountFromNumber } from "./Money.ts"
import { documented } from "./DocumentedBounds.ts"
import { optional } from "./Optional.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const whole = (most: number) => {
  const expected = `a whole number from 1 to ${most}`
  return Schema.Int.annotate({ description: `A whole number from 1 to ${most}.` }).check(
    documented({ minimum: 1, maximum: most }),
    Schema.makeFilter((value: number) => (value >= 1 && value <= most) || `Expected ${expected}`)
  )
}

/** What a company subscribes to. */
const SubscriptionRequest = Schema.Struct({
  company_id: text(1, 64).annotate({ description: "The caller's company, which buys." }),
  product_id: text(1, 64),
  quantity: whole(MOST_PIECES),
  interval: Schema.Literals(INTERVALS).annotate({ description: "How long a period is." }),
  periods: optional(whole(MOST_PERIODS.week), {
    description: `How many periods there are, at most ${MOST_PERIODS.week} weeks, ${MOST_PERIODS.month} months or ${MOST_PERIODS.year} years; without it, until it is cancelled.`
  }),
  start: optional(UtcTimestamp, {
    description: "When the first period is due, at most 366 days ahead; now without it."
  }),
  metadata: NewMetadata
}).annotate({ identifier: "SubscriptionRequest" })

/** What happened to a subscription. */
const SubscriptionActAnswer = Schema.Struct({
  sequence: Schema.Int.annotate({ description: "Its place in all that the platform recorded." }),
  at: UtcTimestamp,
  event: Schema.Literals(["created", "renewed", "payment_failed", "end_set", "cancelled"]),
  user_id: Schema.NullOr(Schema.String).annotate({ description: "Who did it; null for the platform." }),
  period: Schema.NullOr(Schema.Int),
  amount: Schema.NullOr(AmountFromNumber).annotate({ description: "USD that was paid, or was to be paid." }),
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "SubscriptionAct" })

const Id = { id: text(1, 64) }

const create = HttpApiEndpoint.post("createSubscription", "/v1/subscriptions", {
  payload: SubscriptionRequest,
  success: SubscriptionAnswer,
  error: [wire("access_denied"), wire("conflict"), wire("unprocessable")]
})
  .annotate(Policy, scopes("subscriptions:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Buy a product each period",
      description:
        "At the company's price of now, which stays. Each period's price moves from the caller's USD wallet to the " +
        "seller, and its pieces out of the seller's stock, in one transaction: at once for the first where it starts now. " +
        `A period that cannot be charged is tried again ${RETRY_DAYS.join(", ")} days after it failed first; then the ` +
        "subscription is cancelled. Needs a verified account."
    })
  )

const list = HttpApiEndpoint.get("listSubscriptions", "/v1/subscriptions", {
  query: {
    role: optional(Schema.Literals(["buyer", "seller"]), {
      description: "Whether the company buys or sells; by default either."
    }),
    status: optional(Schema.Literals(SUBSCRIPTION_STATUSES)),
    metadata: MetadataFilter,
    ...pageQuery
  },
  success: HttpApiSchema.WithHeaders(Schema.Array(SubscriptionAnswer), { "x-total-count": Schema.FiniteFromString }),
  error: wire("unprocessable")
})
  .annotate(Policy, scopes("subscriptions:read"))
  .annotateMerge(OpenApi.annotations({ summary: "List the company's subscriptions, oldest first" }))

const get = HttpApiEndpoint.get("getSubscription", "/v1/subscriptions/:id", {
  params: Id,
  success: SubscriptionAnswer,
  error: wire("not_found")
})
  .annotate(Policy, scopes("subscriptions:read"))
  .annotateMerge(
    OpenApi.annotations({ summary: "One subscription", description: "For its buyer, its seller and administrators." })
  )

const history = HttpApiEndpoint.get("listSubscriptionHistory", "/v1/subscriptions/:id/history", {
  params: Id,
  query: pageQuery,
  success: HttpApiSchema.WithHeaders(Schema.Array(SubscriptionActAnswer), { "x-total-count": Schema.FiniteFromString }),
  error: wire("not_found")
})
  .annotate(Policy, scopes("subscriptions:read"))
  .annotateMerge(OpenApi.annotations({ summary: "Who did what to a subscription, oldest first" }))

const changed = [wire("access_denied"), wire("not_found"), wire("conflict")] as const

const cancel = HttpApiEndpoint.post("cancelSubscription", "/v1/subscriptions/:id/cancel", {
  params: Id,
  payload: Schema.Struct({
    at_period_end: optional(Schema.Boolean, {
      description: "Whether it ends with the period that was paid last, not at once."
    })
  }).annotate({ identifier: "SubscriptionCancellation" }),
  success: SubscriptionAnswer,
  error: changed
})
  .annotate(Policy, scopes("subscriptions:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Cancel a subscription",
      description: "For its buyer and its seller. Nothing that was paid is refunded. What was not paid ends at once."
    })
  )

const renew = HttpApiEndpoint.post("renewSubscription", "/v1/subscriptions/:id/renew", {
  params: Id,
  success: SubscriptionAnswer,
  error: [...changed, wire("unprocessable")]
})
  .annotate(Policy, scopes("subscriptions:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Pay the next period now",
      description:
        "What is owed, or the coming period before it is due, and never further ahead. The days of later periods stay. " +
        "For the user whose wallet pays."
    })
  )

/** Subscriptions: what companies buy each period. */
export class SubscriptionsApi extends HttpApiGroup.make("subscriptions")
  .add(create, list, get, history, cancel, renew)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Subscriptions", description: "What companies buy each week, month or year." })
  ) {}
