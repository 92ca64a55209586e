import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { WebhookCreated, WebhookEvent } from "../../engine/webhook/WebhookEvent.ts"

/** How recorded events become rows: one statement an event, since they are rare and their order matters. */
export class WebhookProjectionRepository extends Context.Service<
  WebhookProjectionRepository,
  { readonly write: (recorded: Recorded<WebhookEvent>) => Statement<unknown> }
>()("emporion/webhooks/WebhookProjectionRepository") {
  static readonly layer: Layer.Layer<WebhookProjectionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      WebhookProjectionRepository.of({
        write: ({ event, seq }) =>
          event._tag === "WebhookCreated" ? created(sql, event, BigInt(seq)) : changed(sql, event, BigInt(seq))
      })
    )
  )
}

const created = (sql: SqlClient, event: WebhookCreated, seq: bigint) => {
  const { companyId, settings, userId, webhookId } = event
  const at = BigInt(event.at)
  return sql`
    INSERT INTO webhooks (id, company_id, created_by, url, events, description, status, secret_number, created_at,
      enabled_at, updated_at, created_seq, event_seq)
    VALUES (${webhookId}, ${companyId}, ${userId}, ${settings.url}, ${settings.events}::text[],
      ${settings.description}, 'enabled', 1, ${at}, ${at}, ${at}, ${seq}, ${seq})`
}

type Change = Exclude<WebhookEvent, WebhookCreated>

const changed = (sql: SqlClient, event: Change, seq: bigint) => sql`
  UPDATE webhooks SET ${columns(sql, event)}, updated_at = ${BigInt(event.at)}, event_seq = ${seq}
  WHERE id = ${event.webhookId}`

const columns = (sql: SqlClient, event: Change) => {
  switch (event._tag) {
    case "WebhookChanged": {
      const { description, events, url } = event.settings
      return sql`url = ${url}, events = ${events}::text[], description = ${description}`
    }
    case "WebhookSecretRotated":
      return sql`secret_number = ${event.secretNumber}, previous_until = ${BigInt(event.previousUntil)}`
    case "WebhookDisabled":
      return sql`status = 'disabled', disabled_cause = ${event.cause}, disabled_at = ${BigInt(event.at)}`
    case "WebhookEnabled":
      return sql`status = 'enabled', disabled_cause = NULL, disabled_at = NULL, enabled_at = ${BigInt(event.at)}`
    case "WebhookDeleted":
      return sql`status = 'deleted', disabled_cause = NULL, disabled_at = NULL`
  }
}
