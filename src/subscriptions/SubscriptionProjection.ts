import { subscriptionRows } from "../../engine/subscriptions/SubscriptionRows.ts"
import type { ContextProjection } from "../database/Projection.ts"

/** The rows of subscriptions and of their history. */
export const subscriptionProjection: ContextProjection = {
  rows: {
    SubscriptionCreated: subscriptionRows,
    SubscriptionRenewed: subscriptionRows,
    SubscriptionPaymentFailed: subscriptionRows,
    SubscriptionEndSet: subscriptionRows,
    SubscriptionCancelled: subscriptionRows
  },
  answers: {}
}
