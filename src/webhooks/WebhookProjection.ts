import { Effect } from "effect"
import { webhooks } from "../../engine/webhooks/WebhookRows.ts"
import { ProjectedStreams } from "../database/ProjectedStreams.ts"
import { aggregates, type ContextProjection } from "../database/Projection.ts"

/** The rows of webhooks. */
export const webhookProjection = Effect.map(ProjectedStreams, ({ each }): ContextProjection => ({
  aggregates: [aggregates(webhooks, each(webhooks))],
  answers: {}
}))
