import { webhookRows } from "../../engine/webhook/WebhookRows.ts"
import type { ContextProjection } from "../database/Projection.ts"

/** The rows of webhooks. */
export const webhookProjection: ContextProjection = {
  rows: {
    WebhookCreated: webhookRows,
    WebhookChanged: webhookRows,
    WebhookSecretRotated: webhookRows,
    WebhookDisabled: webhookRows,
    WebhookEnabled: webhookRows,
    WebhookDeleted: webhookRows
  },
  answers: {}
}
