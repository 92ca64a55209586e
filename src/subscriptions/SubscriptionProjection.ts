import { Effect } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { SUBSCRIPTION_ACTS } from "../../engine/replay/SubscriptionRows.ts"
import type { SubscriptionEvent } from "../../engine/subscriptions/SubscriptionEvent.ts"
import { type ContextProjection, each } from "../database/Projection.ts"
import { SubscriptionProjectionRepository } from "./SubscriptionProjectionRepository.ts"

const isOwn = (recorded: Recorded<{ readonly _tag: string }>): recorded is Recorded<SubscriptionEvent> =>
  Object.hasOwn(SUBSCRIPTION_ACTS, recorded.event._tag)

/** Writes subscriptions and their history for recorded events, within their transaction. */
export const subscriptionProjection = Effect.map(SubscriptionProjectionRepository, (rows): ContextProjection => ({
  write: (events) => {
    const own = events.filter(isOwn)
    if (own.length === 0) return []
    return [
      ...each(events, "SubscriptionCreated", rows.created),
      ...each(events, "SubscriptionRenewed", rows.renewed),
      ...each(events, "SubscriptionPaymentFailed", rows.paymentFailed),
      ...each(events, "SubscriptionEndSet", rows.endSet),
      ...each(events, "SubscriptionCancelled", rows.cancelled),
      ...rows.history(own)
    ]
  },
  answers: {}
}))
