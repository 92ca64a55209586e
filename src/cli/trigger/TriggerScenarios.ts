import { Effect } from "effect"
import type { WebhookEventType } from "../../../engine/webhooks/WebhookEventType.ts"
import type { ResponseOf } from "../../../packages/client/src/Operation.ts"
import { CommandFailed } from "../CommandFailed.ts"
import * as Steps from "./TriggerSteps.ts"
import type { TriggerWorld } from "./TriggerSteps.ts"

/** Makes the state that emits an event of one type. Answers the id of what the event tells of. */
type Scenario = (world: TriggerWorld) => Effect.Effect<string, CommandFailed>

/** USD that no wallet of a sandbox has, where nobody mints more than a billion. */
const UNAFFORDABLE = 8_000_000_000

/** Seconds until a first period is due: more than a request takes, so that the creation does not charge it. */
const SOON = 5

/** Seconds that the platform may take until it has tried to charge a period: it looks every 30. */
const CHARGE_LIMIT = 90

const DAY = 86_400

/** USD that the caller is scored for at first, the step to another limit, and the largest loan. */
const LOAN = 5_000
const LOAN_STEP = 1_000
const LARGEST_LOAN = 35_000

const orderUpdated: Scenario = Effect.fnUntraced(function* (world) {
  const offers = [yield* Steps.offer(world), yield* Steps.offer(world)] as const
  const { order } = yield* Steps.paidOrder(world, offers)
  yield* offers[0].seller.ask("POST /v1/orders/{id}/fulfil", { path: { id: order.id } })
  return order.id
})

const orderFulfilled: Scenario = Effect.fnUntraced(function* (world) {
  const offer = yield* Steps.offer(world)
  const { order } = yield* Steps.paidOrder(world, [offer])
  yield* offer.seller.ask("POST /v1/orders/{id}/fulfil", { path: { id: order.id } })
  return order.id
})

const orderCancelled: Scenario = Effect.fnUntraced(function* (world) {
  const { id } = yield* Steps.order(world, [yield* Steps.offer(world)])
  yield* world.caller.ask("POST /v1/orders/{id}/cancel", { path: { id }, body: { reason: Steps.NAME } })
  return id
})

const paymentAuthorized: Scenario = Effect.fnUntraced(function* (world) {
  const { id: orderId } = yield* Steps.order(world, [yield* Steps.offer(world)])
  const { id } = yield* Steps.pay(world, orderId, { card: "approve", capture: "manual", status: "authorized" })
  yield* world.caller.ask("POST /v1/payments/{id}/void", { path: { id } })
  return id
})

const paymentRefunded: Scenario = Effect.fnUntraced(function* (world) {
  const { order, payment } = yield* Steps.paidOrder(world, [yield* Steps.offer(world)])
  return (yield* Steps.refunded(world, order.id, payment.id)).id
})

const paymentFailed: Scenario = Effect.fnUntraced(function* (world) {
  const { id } = yield* Steps.order(world, [yield* Steps.offer(world)])
  return (yield* Steps.pay(world, id, { card: "decline", capture: "automatic", status: "failed" })).id
})

const companyVerified: Scenario = Effect.fnUntraced(function* (world) {
  const admin = yield* world.administrator("Verifying a company")
  const { id } = yield* Steps.managedCompany(world)
  yield* admin.ask("PUT /v1/companies/{id}/verify", { path: { id } })
  return id
})

const companyUpdated: Scenario = Effect.fnUntraced(function* (world) {
  const { id } = yield* Steps.managedCompany(world)
  yield* world.caller.ask("PATCH /v1/companies/{id}", { path: { id }, body: { name: `${Steps.NAME}: renamed` } })
  return id
})

/** As many periods are charged as there are, so that nothing is due later. */
const subscriptionCreated: Scenario = Effect.fnUntraced(function* (world) {
  const offer = yield* Steps.offer(world)
  yield* Steps.money(world, 1)
  return (yield* Steps.subscribe(world, offer, { periods: 1 })).id
})

const subscriptionRenewed: Scenario = Effect.fnUntraced(function* (world) {
  const offer = yield* Steps.offer(world)
  yield* Steps.money(world, 2)
  const { id } = yield* Steps.subscribe(world, offer, { periods: 2 })
  yield* world.caller.ask("POST /v1/subscriptions/{id}/renew", { path: { id } })
  return id
})

const cancelSubscription = ({ caller }: TriggerWorld, id: string) =>
  caller.ask("POST /v1/subscriptions/{id}/cancel", { path: { id }, body: {} })

const subscriptionCancelled: Scenario = Effect.fnUntraced(function* (world) {
  const offer = yield* Steps.offer(world)
  const { id } = yield* Steps.subscribe(world, offer, { start: yield* Steps.timeAhead(world, DAY) })
  yield* cancelSubscription(world, id)
  return id
})

/** It is cancelled at the end: the platform would try to charge it again on later days. */
const subscriptionPaymentFailed: Scenario = Effect.fnUntraced(function* (world) {
  const { caller, tell } = world
  const offer = yield* Steps.offer(world, UNAFFORDABLE)
  const begun = Effect.flatMap(Steps.timeAhead(world, SOON), (start) => Steps.subscribe(world, offer, { start }))
  const isPastDue = ({ status }: ResponseOf<"GET /v1/subscriptions/{id}">): boolean => status === "past_due"
  return yield* Effect.acquireUseRelease(
    begun,
    ({ id }) =>
      Effect.gen(function* () {
        yield* tell("waiting until the platform tries to charge it, which it does every 30 seconds")
        return (yield* caller.until("GET /v1/subscriptions/{id}", { path: { id } }, isPastDue, CHARGE_LIMIT)).id
      }),
    ({ id }) => cancelSubscription(world, id)
  )
})

const scoreCard = ({ caller, me }: TriggerWorld) =>
  caller.find("GET /v1/credit/profile/{profileId}", { path: { profileId: me.id } })

/** The caller is scored for what it was scored for before, so that its limit stays. */
const scoreUpdated: Scenario = Effect.fnUntraced(function* (world) {
  const { assessedLimit: before = 0 } = (yield* scoreCard(world)) ?? {}
  return (yield* Steps.score(world, before > 0 ? before : LOAN)).profileId
})

const limitChanged: Scenario = Effect.fnUntraced(function* (world) {
  const { assessedLimit: assessed = LOAN, limit: before = 0 } = (yield* scoreCard(world)) ?? {}
  const change = assessed + LOAN_STEP > LARGEST_LOAN ? -LOAN_STEP : LOAN_STEP
  const { limit, profileId } = yield* Steps.score(world, assessed + change)
  if (limit !== before) return profileId
  return yield* new CommandFailed({
    message: `The limit stays ${limit} USD, because other users of the company have the rest: ask as one of them.`
  })
})

const webhookDisabled: Scenario = ({ caller }) =>
  Effect.acquireUseRelease(
    caller.ask("POST /v1/webhooks", {
      body: { url: "https://trigger.emporion.invalid", events: ["webhook.test"], description: Steps.NAME }
    }),
    ({ id }) => Effect.as(caller.ask("PATCH /v1/webhooks/{id}", { path: { id }, body: { status: "disabled" } }), id),
    ({ id }) => caller.ask("DELETE /v1/webhooks/{id}", { path: { id } })
  )

const webhookTest: Scenario = Effect.fnUntraced(function* ({ caller, endpoint: named }) {
  const webhooks = named === undefined ? yield* caller.ask("GET /v1/webhooks", {}) : []
  const endpoint = named?.href ?? webhooks.find(({ status }) => status === "enabled")?.url
  if (endpoint === undefined) {
    return yield* new CommandFailed({
      message: "webhook.test goes to one URL, and to no listener: name it with --endpoint, or make a webhook."
    })
  }
  const body = { endpoint, event: "webhook.test" } as const
  const { delivered, error, status } = yield* caller.ask("POST /v1/webhooks/test", { body })
  if (delivered) return endpoint
  return yield* new CommandFailed({ message: `${endpoint} does not take it: ${error ?? `it answers ${status}`}.` })
})

/** A part of an order on credit is due in a month at the earliest, and nobody else's time is set forward for that. */
const whenDue =
  (days: number): Scenario =>
  () =>
    new CommandFailed({
      message: `It comes of an order on net_30 that is not paid: place one, then emporion time advance ${days} days.`
    })

/** How each type of event is made to happen. */
export const TRIGGER_SCENARIOS: Readonly<Record<WebhookEventType, Scenario>> = {
  "order.created": Effect.fnUntraced(function* (world) {
    return (yield* Steps.order(world, [yield* Steps.offer(world)])).id
  }),
  "order.updated": orderUpdated,
  "order.paid": Effect.fnUntraced(function* (world) {
    return (yield* Steps.paidOrder(world, [yield* Steps.offer(world)])).order.id
  }),
  "order.fulfilled": orderFulfilled,
  "order.cancelled": orderCancelled,
  "order.payment_due": whenDue(28),
  "order.overdue": whenDue(31),
  "payment.authorized": paymentAuthorized,
  "payment.captured": Effect.fnUntraced(function* (world) {
    return (yield* Steps.paidOrder(world, [yield* Steps.offer(world)])).payment.id
  }),
  "payment.refunded": paymentRefunded,
  "payment.failed": paymentFailed,
  "company.created": (world) => Effect.map(Steps.managedCompany(world), ({ id }) => id),
  "company.verified": companyVerified,
  "company.updated": companyUpdated,
  "subscription.created": subscriptionCreated,
  "subscription.renewed": subscriptionRenewed,
  "subscription.cancelled": subscriptionCancelled,
  "subscription.payment_failed": subscriptionPaymentFailed,
  "credit.score_updated": scoreUpdated,
  "credit.limit_changed": limitChanged,
  "webhook.disabled": webhookDisabled,
  "webhook.test": webhookTest
}
