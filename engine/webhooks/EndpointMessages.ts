import { type Drafts, drafted, type History, reading } from "./History.ts"
import { endpointObject } from "./EndpointObject.ts"
import { after, type WebhookState, webhookStream } from "./Webhook.ts"
import type { WebhookDisabled, WebhookEvent } from "./WebhookEvent.ts"

/** What is told when an endpoint was disabled: to the company's other endpoints. */
export const endpointMessages = ({ companyId, webhookId }: WebhookDisabled, history: History): Drafts =>
  reading(history, webhookStream(webhookId), (events) => {
    const state = (events as ReadonlyArray<WebhookEvent>).reduce<WebhookState | undefined>(after, undefined)
    return drafted(
      state === undefined ? [] : [{ type: "webhook.disabled", companyId, object: () => endpointObject(state) }]
    )
  })
