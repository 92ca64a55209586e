/** Everything that an endpoint can be told of. Specification 6.1; what is due, credit, `webhook.disabled` and `webhook.test` are extensions. */
export const WEBHOOK_EVENT_TYPES = [
  "order.created",
  "order.updated",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.payment_due",
  "order.overdue",
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

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]
