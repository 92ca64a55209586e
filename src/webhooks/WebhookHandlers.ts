import { Effect, Redacted } from "effect"
import { exampleOf } from "../../engine/webhooks/WebhookExample.ts"
import { WEBHOOK_EVENTS } from "../../engine/webhooks/WebhookEventTypes.ts"
import { envelopeOf } from "../../engine/webhooks/WebhookMessage.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { DeliveryLog } from "./DeliveryLog.ts"
import { EndpointTest, type TestOutcome } from "./EndpointTest.ts"
import { deliveryAnswer, deliveryDetail, quotaAnswer, webhookAnswer } from "./WebhookResponses.ts"
import { type Caller, Webhooks, type WebhookWithSecret } from "./Webhooks.ts"

const caller: Effect.Effect<Caller, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role, userId }) => ({ userId, companyId, isAdmin: role === "admin" })
)

const ownCompany = Effect.map(caller, ({ companyId }) => companyId)

/** The caller. The audit log first records what an administrator is about to do. */
const writtenDown =
  ({ recordRequest }: AuditLog["Service"]) =>
  (act: "change" | "delete" | "retry", subjectId: string) =>
    Effect.tap(caller, ({ isAdmin }) => (isAdmin ? recordRequest({ act: `webhook.${act}`, subjectId }) : Effect.void))

const withSecret = (webhook: WebhookWithSecret) => ({
  ...webhookAnswer(webhook),
  secret: Redacted.value(webhook.secret)
})

const testAnswer = ({ answer, body, durationMs, error, isDelivered, secret, status }: TestOutcome) => ({
  delivered: isDelivered,
  status,
  duration_ms: durationMs,
  answer,
  error: status === null ? error : null,
  body,
  signing_secret: secret === undefined ? null : Redacted.value(secret)
})

const eventTypes = WEBHOOK_EVENTS.map(({ description, object, told, type }) => ({
  type,
  description,
  object,
  told,
  example: envelopeOf(exampleOf(type))
}))

/** The webhooks group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const [webhooks, log, { run }] = yield* Effect.all([Webhooks, DeliveryLog, EndpointTest])
    const acting = writtenDown(yield* AuditLog)
    const [typed, { openIn }] = [yield* FreeText, yield* PersonalText]
    return typed.opening(handlers).handleAll({
      createWebhook: Effect.fnUntraced(function* ({ payload }) {
        return withSecret(yield* webhooks.create(yield* caller, { description: null, ...payload }))
      }, Effect.uninterruptible),
      listWebhooks: Effect.fnUntraced(function* ({ query }) {
        const companyId = yield* ownCompany
        const keepers = Effect.succeed([companyId])
        const asked = yield* typed.page(keepers, pageOf(query))
        const { webhooks: found, ...page } = yield* webhooks.list(companyId, asked)
        return yield* ListResponse.of(found.map(webhookAnswer), page)
      }),
      getWebhook: Effect.fnUntraced(function* ({ params }) {
        return webhookAnswer(yield* webhooks.find(yield* caller, params.id))
      }),
      changeWebhook: Effect.fnUntraced(function* ({ params, payload }) {
        return webhookAnswer(yield* webhooks.change(yield* acting("change", params.id), params.id, payload))
      }, Effect.uninterruptible),
      deleteWebhook: Effect.fnUntraced(function* ({ params }) {
        yield* webhooks.remove(yield* acting("delete", params.id), params.id)
        return { id: params.id, deleted: true as const }
      }, Effect.uninterruptible),
      rotateWebhookSecret: Effect.fnUntraced(function* ({ params }) {
        return withSecret(yield* webhooks.rotate(yield* caller, params.id))
      }, Effect.uninterruptible),
      listWebhookDeliveries: Effect.fnUntraced(function* ({ params, query }) {
        const filter = { status: query.status, type: query.event }
        const { deliveries, ...page } = yield* log.list(yield* caller, params.id, filter, pageOf(query))
        return yield* ListResponse.of(deliveries.map(deliveryAnswer), page)
      }),
      getWebhookDelivery: Effect.fnUntraced(function* ({ params }) {
        const found = yield* log.find(yield* caller, params.id)
        const body = yield* openIn(found.delivery.body)
        return deliveryDetail({ ...found, delivery: { ...found.delivery, body } })
      }),
      retryWebhookDelivery: Effect.fnUntraced(function* ({ params }) {
        return deliveryAnswer(yield* log.retry(yield* acting("retry", params.id), params.id))
      }, Effect.uninterruptible),
      retryWebhookDeliveries: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* log.retryFailed(yield* acting("retry", params.id), params.id, payload.since)
      }, Effect.uninterruptible),
      webhookQuota: () => Effect.flatMap(caller, ({ companyId }) => Effect.map(log.today(companyId), quotaAnswer)),
      listWebhookEventTypes: () => Effect.succeed(eventTypes),
      testWebhook: Effect.fnUntraced(function* ({ payload }) {
        return testAnswer(yield* run(yield* caller, payload.endpoint, payload.event))
      })
    })
  })
)
