import { Layer } from "effect"
import { DeliveryBell } from "./DeliveryBell.ts"
import { DeliveryLog } from "./DeliveryLog.ts"
import { DeliveryLogRepository } from "./DeliveryLogRepository.ts"
import { Endpoints } from "./Endpoints.ts"
import { EndpointTest } from "./EndpointTest.ts"
import * as WebhookHandlers from "./WebhookHandlers.ts"
import { WebhookProjectionRepository } from "./WebhookProjectionRepository.ts"
import { WebhookRepository } from "./WebhookRepository.ts"
import { WebhookSecretRepository } from "./WebhookSecretRepository.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { Webhooks } from "./Webhooks.ts"

/** The tables that recorded events write. */
export const projected = WebhookProjectionRepository.layer

const repositories = Layer.mergeAll(WebhookRepository.layer, WebhookSecretRepository.layer, DeliveryLogRepository.layer)

/** The context's services. */
export const services = Layer.mergeAll(DeliveryLog.layer, EndpointTest.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Webhooks.layer, Endpoints.layer)),
  Layer.provideMerge(Layer.mergeAll(WebhookSecrets.layer, DeliveryBell.layer, WebhookSender.layer)),
  Layer.provide(repositories)
)

/** The handlers of its group. */
export const handlers = WebhookHandlers.layer
