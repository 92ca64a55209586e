import { Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import { type Module, nothing } from "../Module.ts"
import * as Retention from "../Retention.ts"
import { DeliveryActors } from "./DeliveryActors.ts"
import { WakeSignal } from "./WakeSignal.ts"
import { DeliveryLog } from "./DeliveryLog.ts"
import { DeliveryLogRepository } from "./DeliveryLogRepository.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { DeliveryRetentionRepository } from "./DeliveryRetentionRepository.ts"
import { DeliveryTimes } from "./DeliveryTimes.ts"
import { DeliveryDispatcher } from "./DeliveryDispatcher.ts"
import { DeliveryWriter } from "./DeliveryWriter.ts"
import { Endpoints } from "./Endpoints.ts"
import { EndpointTest } from "./EndpointTest.ts"
import { EventListening } from "./EventListening.ts"
import { EventRendering } from "./EventRendering.ts"
import { OutboxReader } from "./OutboxReader.ts"
import { HeldDeliveries } from "./HeldDeliveries.ts"
import { OutboxRepository } from "./OutboxRepository.ts"
import * as WebhookHandlers from "./WebhookHandlers.ts"
import { webhookProjection } from "./WebhookProjection.ts"
import { WebhookRepository } from "./WebhookRepository.ts"
import { webhookRpcs } from "./WebhookRpcs.ts"
import { sealedSecrets, WebhookSecretRepository } from "./WebhookSecretRepository.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { Webhooks } from "./Webhooks.ts"

const repositories = Layer.mergeAll(WebhookRepository.layer, WebhookSecretRepository.layer, DeliveryLogRepository.layer)

/** The background work that tells and delivers. */
const delivering = Layer.mergeAll(
  DeliveryDispatcher.layer,
  OutboxReader.layer,
  EventListening.layer,
  HeldDeliveries.layer
).pipe(
  Layer.provide(Layer.mergeAll(DeliveryActors.layer, EventRendering.layer)),
  Layer.provide(DeliveryWriter.layer),
  Layer.provideMerge(DeliveryTimes.layer),
  Layer.provide(Layer.mergeAll(DeliveryRepository.layer, OutboxRepository.layer))
)

/** Deliveries and their events, at their age. */
const retention = Retention.running(
  Effect.gen(function* () {
    const { retention: kept } = yield* Settings
    const { removeSome } = yield* DeliveryRetentionRepository
    const step: Retention.Retained["step"] = (horizon, from) => removeSome(horizon, from, Retention.STEP_ROWS)
    return { kind: "deliveries", days: kept.deliveries, step }
  })
).pipe(Layer.provide(DeliveryRetentionRepository.layer))

/** The webhooks: companies hear of their events at addresses of their own. */
export const module = {
  ...nothing,
  sealed: [sealedSecrets],
  personal: [
    {
      table: "webhook_events",
      // A company's contacts are told to the one that manages it too.
      subject: `CASE WHEN type LIKE 'company.%' THEN coalesce(substring(body FROM '"company_id":"(cmp_[0-9a-z]{24})"'), company_id)
        ELSE company_id END`,
      columns: { body: "{}" }
    },
    { table: "webhook_attempts", subject: "(SELECT company_id FROM webhook_deliveries WHERE id = delivery_id)" }
  ],
  rows: Effect.all([webhookProjection]),
  services: Layer.mergeAll(DeliveryLog.layer, EndpointTest.layer, delivering).pipe(
    Layer.provideMerge(Layer.mergeAll(Webhooks.layer, Endpoints.layer)),
    Layer.provideMerge(Layer.mergeAll(WebhookSecrets.layer, WakeSignal.layer, WebhookSender.layer)),
    Layer.provide(repositories)
  ),
  handlers: WebhookHandlers.layer,
  rpcs: webhookRpcs,
  background: Layer.mergeAll(OutboxReader.running, DeliveryDispatcher.running, HeldDeliveries.running, retention)
} satisfies Module
