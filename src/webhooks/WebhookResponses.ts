import { endpointObject } from "../../engine/webhooks/EndpointObject.ts"
import { failureOf } from "./DeliveryFailure.ts"
import type { TriedDelivery, UsedDeliveries } from "./DeliveryLog.ts"
import type { KeptAttempt, LoggedDelivery } from "./DeliveryLogRepository.ts"
import type { StoredWebhook } from "./WebhookRepository.ts"

/** A webhook as the contract answers it. */
export const webhookAnswer = ({ failingSince, state }: StoredWebhook) => ({
  ...endpointObject(state),
  status: state.status === "enabled" ? ("enabled" as const) : ("disabled" as const),
  disabled_at: state.disabled?.at ?? null,
  failing_since: failingSince,
  previous_secret_until: state.previousUntil,
  created_by: state.createdBy,
  updated_at: state.updatedAt
})

/** A day's deliveries. */
export const quotaAnswer = ({ begun, day, endsAt, held, limit }: UsedDeliveries) => ({
  date: day,
  deliveries: begun,
  limit,
  held,
  resets_at: endsAt
})

/** A delivery in a list. */
export const deliveryAnswer = ({ id, last, round, state, type, ...delivery }: LoggedDelivery) => ({
  id,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  event: type,
  status: state.status,
  round,
  attempt_count: state.attempts,
  last_attempt_at: last?.startedAt ?? null,
  last_status: last?.status ?? null,
  last_error: last?.error ?? null,
  last_duration_ms: last?.durationMs ?? null,
  due_at: state.dueAt,
  created_at: delivery.createdAt,
  updated_at: delivery.updatedAt
})

const attemptAnswer = (attempt: KeptAttempt) => ({
  round: attempt.round,
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  url: attempt.url,
  request_headers: attempt.headers,
  status: attempt.status,
  error: attempt.error,
  answer: attempt.answer
})

/** A delivery with all that is known of it. */
export const deliveryDetail = ({ attempts, delivery }: TriedDelivery) => ({
  ...deliveryAnswer(delivery),
  event_seq: delivery.eventSeq,
  url: delivery.webhook.url,
  body: delivery.body,
  failure: failureOf(delivery),
  attempts: attempts.map(attemptAnswer)
})
