import type { DeliveryStatus } from "../../engine/webhooks/Delivery.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** Nothing can be sent to this URL. `expected` says what can, in words. */
export class UnusableUrl extends refusal(
  "UnusableUrl",
  "invalid_request",
  ({ expected, field }: { readonly field: "url" | "endpoint"; readonly expected: string }) =>
    `payload.${field}: ${expected.charAt(0).toUpperCase()}${expected.slice(1)}`
) {}

/** The company has as many webhooks as there can be. */
export class TooManyWebhooks extends refusal(
  "TooManyWebhooks",
  "conflict",
  ({ limit }: { readonly limit: number }) =>
    `The company has ${limit} webhooks, the most there can be: delete one first.`
) {}

/** There is no such webhook, or none that the caller may see. */
export class WebhookNotFound extends refusal(
  "WebhookNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no webhook ${id} of yours.`
) {}

/** There is no such delivery, or none that the caller may see. */
export class DeliveryNotFound extends refusal(
  "DeliveryNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no delivery ${id} of yours.`
) {}

const NOT_FAILED: Readonly<Record<DeliveryStatus, string>> = {
  pending: "The delivery is pending: its next attempt comes by itself.",
  held: "The delivery is held by the plan's daily deliveries: it goes on by itself.",
  delivered: "The delivery was delivered: there is nothing to retry.",
  failed: "The delivery failed just now: retry it once more."
}

/** Only a failed delivery can be retried by hand. */
export class DeliveryNotFailed extends refusal(
  "DeliveryNotFailed",
  "conflict",
  ({ status }: { readonly status: DeliveryStatus }) => NOT_FAILED[status]
) {}

/** Nothing is sent to a disabled webhook. */
export class WebhookIsDisabled extends refusal(
  "WebhookIsDisabled",
  "conflict",
  ({ id }: { readonly id: string }) => `The webhook ${id} is disabled: enable it, then retry.`
) {}
