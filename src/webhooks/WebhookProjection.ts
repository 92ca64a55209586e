import { Effect } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { WebhookEvent } from "../../engine/webhook/WebhookEvent.ts"
import type { ContextProjection } from "../database/Projection.ts"
import { WebhookProjectionRepository } from "./WebhookProjectionRepository.ts"

const OWN: Readonly<Record<WebhookEvent["_tag"], true>> = {
  WebhookCreated: true,
  WebhookChanged: true,
  WebhookSecretRotated: true,
  WebhookDisabled: true,
  WebhookEnabled: true,
  WebhookDeleted: true
}

const isOwn = (recorded: Recorded<{ readonly _tag: string }>): recorded is Recorded<WebhookEvent> =>
  Object.hasOwn(OWN, recorded.event._tag)

/** Writes webhooks for recorded events, within their transaction. */
export const webhookProjection = Effect.map(WebhookProjectionRepository, ({ write }): ContextProjection => ({
  write: (events) => events.filter(isOwn).map(write),
  answers: {}
}))
