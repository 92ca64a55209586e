import { Data } from "effect"
import type { DeliveryStatus } from "../../engine/webhooks/Delivery.ts"

/** invalid_request: nothing can be sent to this URL. `expected` says what can, in words. */
export class UnusableUrl extends Data.TaggedError("UnusableUrl")<{
  readonly field: "url" | "endpoint"
  readonly expected: string
}> {}

/** conflict: the company has as many webhooks as there can be. */
export class TooManyWebhooks extends Data.TaggedError("TooManyWebhooks")<{ readonly limit: number }> {}

/** not_found: there is no such webhook, or none that the caller may see. */
export class WebhookNotFound extends Data.TaggedError("WebhookNotFound")<{ readonly id: string }> {}

/** not_found: there is no such delivery, or none that the caller may see. */
export class DeliveryNotFound extends Data.TaggedError("DeliveryNotFound")<{ readonly id: string }> {}

/** conflict: only a failed delivery is retried by hand. */
export class DeliveryNotFailed extends Data.TaggedError("DeliveryNotFailed")<{ readonly status: DeliveryStatus }> {}

/** conflict: nothing is sent to a disabled webhook. */
export class WebhookIsDisabled extends Data.TaggedError("WebhookIsDisabled")<{ readonly id: string }> {}
