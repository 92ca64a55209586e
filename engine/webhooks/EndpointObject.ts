import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { WEBHOOK_STATUSES, type WebhookState } from "./Webhook.ts"
import { DISABLED_CAUSES } from "./WebhookEvent.ts"
import { Time, timeText } from "../wire/WireValue.ts"

/** A webhook endpoint in a webhook's body, as `GET /v1/webhooks/{id}` answers it; never its secret. */
export const EndpointObject = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("webhook"),
  company_id: Schema.String,
  status: Schema.Literals(WEBHOOK_STATUSES),
  created_at: Time,
  url: Schema.String,
  events: Schema.Array(Schema.String).annotate({ description: "The types that it is told of." }),
  description: Schema.NullOr(Schema.String),
  metadata: Metadata.annotate({ description: "What its company keeps with it by keys of its own." }),
  disabled_cause: Schema.NullOr(Schema.Literals(DISABLED_CAUSES)).annotate({
    description: "`failing`: its attempts failed for 5 days. `requested`: somebody disabled it."
  })
}).annotate({ identifier: "Webhook", description: "An endpoint." })

export type EndpointObject = typeof EndpointObject.Type

/** An endpoint as its company sees it. */
export const endpointObject = (state: WebhookState): EndpointObject => ({
  id: state.webhookId,
  object: "webhook",
  company_id: state.companyId,
  status: state.status,
  created_at: timeText(state.createdAt),
  url: state.settings.url,
  events: [...state.settings.events],
  description: state.settings.description,
  metadata: state.settings.metadata ?? {},
  disabled_cause: state.disabled === null ? null : state.disabled.cause
})
