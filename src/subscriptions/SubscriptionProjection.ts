import { Effect } from "effect"
import { subscriptions } from "../../engine/subscriptions/SubscriptionRows.ts"
import { ProjectedStreams } from "../database/ProjectedStreams.ts"
import { aggregates, type ContextProjection } from "../database/Projection.ts"

/** The rows of subscriptions and of their history. */
export const subscriptionProjection = Effect.map(ProjectedStreams, ({ each }): ContextProjection => ({
  aggregates: [aggregates(subscriptions, each(subscriptions))],
  answers: {}
}))
