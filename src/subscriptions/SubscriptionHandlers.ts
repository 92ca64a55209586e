import { Effect } from "effect"
import type { SubscriptionState } from "../../engine/subscriptions/Subscription.ts"
import { SubscriptionAnswer, subscriptionObject } from "../../engine/subscriptions/SubscriptionObject.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { keptOr, storedAs } from "../http/KeptResponse.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { actAnswer } from "./SubscriptionResponses.ts"
import { type Caller, type Keep, Subscriptions } from "./Subscriptions.ts"

const caller: Effect.Effect<Caller, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role, userId }) => ({ userId, companyId, isAdmin: role === "admin" })
)

const stored = storedAs(SubscriptionAnswer)

/** Keeps the answer under the request's key, if it has one. */
const keep: Effect.Effect<Keep> = Effect.map(IdempotencyScope, (keyed) => (decided) => {
  if (keyed === undefined) return undefined
  return { key: keyed.key, fingerprint: keyed.fingerprint, answer: stored(subscriptionObject(decided)) }
})

const keptOrAnswer = keptOr(SubscriptionAnswer)

/** The subscriptions group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const subscriptions = yield* Subscriptions
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()
    const kept = (state: SubscriptionState) =>
      Effect.provideContext(keptOrAnswer(Effect.succeed(subscriptionObject(state))), keptAnswers)

    const typed = yield* FreeText

    return typed.opening(handlers).handleAll({
      createSubscription: Effect.fnUntraced(function* ({ payload }) {
        const { company_id: companyId, interval: every, metadata, product_id: productId, quantity, start } = payload
        const periods = payload.periods ?? null
        const own = metadata === undefined ? {} : { metadata }
        const by = yield* caller
        const asked = { companyId, productId, quantity, every, periods, startAt: start, ...own }
        const wanted = yield* typed.texts(by.companyId, asked)
        return yield* kept(yield* subscriptions.create(by, wanted, yield* keep))
      }, Effect.uninterruptible),
      listSubscriptions: Effect.fnUntraced(function* ({ query }) {
        const { companyId } = yield* caller
        const { role, status } = query
        const filter = { companyId, role, status }
        const asked = yield* typed.page(subscriptions.keepers(filter), pageOf(query))
        const { subscriptions: found, ...page } = yield* subscriptions.list(filter, asked)
        return yield* ListResponse.of(found.map(subscriptionObject), page)
      }),
      getSubscription: Effect.fnUntraced(function* ({ params }) {
        return subscriptionObject(yield* subscriptions.find(yield* caller, params.id))
      }),
      listSubscriptionHistory: Effect.fnUntraced(function* ({ params, query }) {
        const { acts, ...page } = yield* subscriptions.history(yield* caller, params.id, pageOf(query))
        return yield* ListResponse.of(acts.map(actAnswer), page)
      }),
      cancelSubscription: Effect.fnUntraced(function* ({ params, payload }) {
        const atPeriodEnd = payload.at_period_end ?? false
        return yield* kept(yield* subscriptions.cancel(yield* caller, params.id, atPeriodEnd, yield* keep))
      }, Effect.uninterruptible),
      renewSubscription: Effect.fnUntraced(function* ({ params }) {
        return yield* kept(yield* subscriptions.renew(yield* caller, params.id, yield* keep))
      }, Effect.uninterruptible)
    })
  })
)
