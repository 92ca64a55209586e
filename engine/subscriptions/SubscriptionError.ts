import { Data } from "effect"
import type { SubscriptionStatus } from "./Subscription.ts"

/** invalid_request: the terms cannot be agreed on. */
export class InvalidSubscription extends Data.TaggedError("InvalidSubscription")<{
  readonly field: "product_id" | "quantity" | "periods" | "start"
  readonly expected: string
}> {}

/** access_denied: the caller has no part in this act. */
export class NotAllowed extends Data.TaggedError("NotAllowed")<{ readonly act: "renew" | "cancel" }> {}

/** conflict: a subscription in this state does not take the act. */
export class IllegalSubscriptionAct extends Data.TaggedError("IllegalSubscriptionAct")<{
  readonly act: "renew" | "cancel"
  readonly status: SubscriptionStatus
  /** Why, where the status alone does not say it. */
  readonly because: "ended" | "ends" | "ahead" | "not_started"
}> {}
