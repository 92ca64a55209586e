/** The types of events that a company can be told of. Specification 6.1; those of credit and webhooks are the platform's own names. */
export const EVENT_TYPES = [
  "order.created",
  "order.updated",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "payment.authorized",
  "payment.captured",
  "payment.refunded",
  "payment.failed",
  "company.created",
  "company.verified",
  "company.updated",
  "subscription.created",
  "subscription.renewed",
  "subscription.cancelled",
  "subscription.payment_failed",
  "credit.score_updated",
  "credit.limit_changed",
  "webhook.disabled",
  "webhook.test"
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Stands for every type, also those that come later. */
export const EVERY_TYPE = "*"

/** What a webhook asks for. */
export type WantedType = EventType | typeof EVERY_TYPE

/** What a webhook can ask for. */
export const WANTED_TYPES: ReadonlyArray<WantedType> = [...EVENT_TYPES, EVERY_TYPE]

/** Whether a webhook that asks for some types gets an event of this one. */
export const isWanted = (wanted: ReadonlyArray<string>, type: EventType): boolean =>
  wanted.includes(type) || wanted.includes(EVERY_TYPE)
