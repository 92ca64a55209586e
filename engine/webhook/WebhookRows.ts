import type { Recorded } from "../actor/Journal.ts"
import { add, type Columns, set, type TableRow } from "../journal/TableRow.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { after, type WebhookState } from "./Webhook.ts"
import type { WebhookCreated, WebhookEvent } from "./WebhookEvent.ts"

const textOf = (value: number | null): string | null => (value === null ? null : `${value}`)

/** An array as PostgreSQL writes it. No type of event has anything in it that is quoted there. */
const arrayOf = (values: ReadonlyArray<string>): string => `{${values.join(",")}}`

/** What a webhook's row has beside its state. */
export interface WebhookPlace {
  /** When it was enabled last, in milliseconds since 1970. */
  readonly enabledAt: number
  /** The sequence of its first event, and of its last. */
  readonly createdSeq: number
  readonly seq: number
}

/** A row of `webhooks`. */
export const webhookRow = (state: WebhookState, { createdSeq, enabledAt, seq }: WebhookPlace): StateRow => ({
  table: "webhooks",
  values: [
    state.webhookId,
    state.companyId,
    state.createdBy,
    state.settings.url,
    arrayOf(state.settings.events),
    state.settings.description,
    state.status,
    state.disabled?.cause ?? null,
    textOf(state.disabled?.at ?? null),
    `${state.secretNumber}`,
    textOf(state.previousUntil),
    `${state.createdAt}`,
    `${enabledAt}`,
    `${state.updatedAt}`,
    `${createdSeq}`,
    `${seq}`
  ]
})

/** What an event after the first leaves in the webhook's row. */
const changesOf = (event: Exclude<WebhookEvent, WebhookCreated>): Columns => {
  switch (event._tag) {
    case "WebhookChanged": {
      const { description, events, url } = event.settings
      return { url, description, events: arrayOf(events) }
    }
    case "WebhookSecretRotated":
      return { secret_number: `${event.secretNumber}`, previous_until: `${event.previousUntil}` }
    case "WebhookDisabled":
      return { status: "disabled", disabled_cause: event.cause, disabled_at: `${event.at}` }
    case "WebhookEnabled":
      return { status: "enabled", disabled_cause: null, disabled_at: null, enabled_at: `${event.at}` }
    case "WebhookDeleted":
      return { status: "deleted", disabled_cause: null, disabled_at: null }
  }
}

/** A webhook after an event. */
export const webhookRows = ({ event, seq }: Recorded<WebhookEvent>): ReadonlyArray<TableRow> => {
  if (event._tag !== "WebhookCreated") {
    return [set("webhooks", event.webhookId, { ...changesOf(event), updated_at: `${event.at}`, event_seq: `${seq}` })]
  }
  return [add(webhookRow(after(undefined, event), { createdSeq: seq, enabledAt: event.at, seq }))]
}
