import type { Aggregate } from "../journal/Aggregate.ts"
import { isOf } from "../replay/PlatformEvent.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { metadataText } from "../metadata/Metadata.ts"
import { after, type WebhookState, webhookStream } from "./Webhook.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

const textOf = (value: number | null): string | null => (value === null ? null : `${value}`)

/** An array as PostgreSQL writes it. No type of event has anything in it that is quoted there. */
const arrayOf = (values: ReadonlyArray<string>): string => `{${values.join(",")}}`

/** What a webhook's row has beside its state. */
export interface WebhookPlace {
  /** The sequence of its first event, and of its last. */
  readonly createdSeq: number
  readonly seq: number
}

/** A row of `webhooks`. */
export const webhookRow = (state: WebhookState, { createdSeq, seq }: WebhookPlace): StateRow => ({
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
    arrayOf(state.earlierUntil.map(String)),
    `${state.createdAt}`,
    `${state.countsFrom}`,
    `${state.updatedAt}`,
    `${createdSeq}`,
    `${seq}`,
    metadataText(state.settings.metadata)
  ]
})

/** A webhook with what its row has beside its state. */
export interface RecordedWebhook {
  readonly state: WebhookState
  readonly place: WebhookPlace
}

const isOwn = isOf("webhook")

/** What a webhook and its place are after one more event. */
export const recorded = (before: RecordedWebhook | undefined, event: WebhookEvent, seq: number): RecordedWebhook => ({
  state: after(before?.state, event),
  place: { createdSeq: before?.place.createdSeq ?? seq, seq }
})

/** The rows of webhooks, by the name of their stream. */
export const webhooks: Aggregate<RecordedWebhook> = {
  of: (event) =>
    isOwn(event) ? { name: webhookStream(event.webhookId), isNew: event._tag === "WebhookCreated" } : undefined,
  after: (before, { event, seq }) => {
    if (!isOwn(event)) throw new TypeError(`${event._tag} of a webhook`)
    return recorded(before, event, seq)
  },
  namesOf: ({ state }) => [webhookStream(state.webhookId)],
  rows: ({ place, state }) => [webhookRow(state, place)]
}
