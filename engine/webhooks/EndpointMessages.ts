import { type Drafts, drafted, type History, reading } from "./History.ts"
import type { EndpointObject } from "./EndpointObject.ts"
import { timeText } from "../wire/WireValue.ts"
import { after, type WebhookState, webhookStream } from "./Webhook.ts"
import type { WebhookDisabled, WebhookEvent } from "./WebhookEvent.ts"

/** An endpoint as its company's others are told of it. */
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

/** What is told when an endpoint was disabled: to the company's other endpoints. */
export const endpointMessages = ({ companyId, webhookId }: WebhookDisabled, history: History): Drafts =>
  reading(history, webhookStream(webhookId), (events) => {
    const state = (events as ReadonlyArray<WebhookEvent>).reduce<WebhookState | undefined>(after, undefined)
    return drafted(
      state === undefined ? [] : [{ type: "webhook.disabled", companyId, object: () => endpointObject(state) }]
    )
  })
