/** Which types of events an endpoint wants. */

import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./WebhookEventType.ts"

/** Stands for every type, also those that come later. */
export const EVERY_TYPE = "*"

/** What a webhook can ask for. */
export const WANTED_EVENTS = [...WEBHOOK_EVENT_TYPES, EVERY_TYPE] as const

export type WantedEvent = (typeof WANTED_EVENTS)[number]

/** Each type once, in the order of the published list; {@link EVERY_TYPE} stands alone. */
export const wantedEvents = (events: ReadonlyArray<string>): ReadonlyArray<string> =>
  events.includes(EVERY_TYPE) ? [EVERY_TYPE] : WANTED_EVENTS.filter((type) => events.includes(type))

/** Whether a webhook that asks for some types gets an event of this one. */
export const isWanted = (wanted: ReadonlyArray<string>, type: WebhookEventType): boolean =>
  wanted.includes(type) || wanted.includes(EVERY_TYPE)
