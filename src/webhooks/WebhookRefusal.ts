import { Effect } from "effect"
import type { DeliveryStatus } from "../../engine/webhooks/Delivery.ts"
import { ApiError, type Code } from "../api/ApiError.ts"
import type * as Refusal from "./WebhookError.ts"

const told = <C extends Code>(code: C, message: string) => Effect.fail(new ApiError(code, message))

const NOT_FAILED: Readonly<Record<DeliveryStatus, string>> = {
  pending: "The delivery is pending: its next attempt comes by itself.",
  held: "The delivery is held by the plan's daily deliveries: it goes on by itself.",
  delivered: "The delivery was delivered: there is nothing to retry.",
  failed: "The delivery failed just now: retry it once more."
}

/** How each refusal of this context is answered, for `Effect.catchTags`. */
export const webhookResponses = {
  WebhookNotFound: ({ id }: Refusal.WebhookNotFound) => told("not_found", `There is no webhook ${id} of yours.`)
}

export const urlAnswers = {
  UnusableUrl: ({ expected, field }: Refusal.UnusableUrl) =>
    told("invalid_request", `payload.${field}: ${expected.charAt(0).toUpperCase()}${expected.slice(1)}`)
}

export const creationAnswers = {
  ...urlAnswers,
  TooManyWebhooks: ({ limit }: Refusal.TooManyWebhooks) =>
    told("conflict", `The company has ${limit} webhooks, the most there can be: delete one first.`)
}

export const deliveryAnswers = {
  DeliveryNotFound: ({ id }: Refusal.DeliveryNotFound) => told("not_found", `There is no delivery ${id} of yours.`)
}

export const disabledAnswers = {
  WebhookIsDisabled: ({ id }: Refusal.WebhookIsDisabled) =>
    told("conflict", `The webhook ${id} is disabled: enable it, then retry.`)
}

export const retryAnswers = {
  ...deliveryAnswers,
  ...disabledAnswers,
  DeliveryNotFailed: ({ status }: Refusal.DeliveryNotFailed) => told("conflict", NOT_FAILED[status])
}
