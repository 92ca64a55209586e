import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { SealedColumn } from "../database/SealedColumn.ts"

/** The key of a secret's row: the webhook and the secret's number. */
export const secretKey = (webhookId: string, number: number): string => `${webhookId}/${number}`

/** The context that a secret is sealed for. It names the row, so that no webhook signs with another's secret. */
export const secretPurpose = (key: string): string => `webhook/${key}`

/** Where the secrets are. */
export const sealedSecrets: SealedColumn = {
  table: "webhook_secrets",
  key: "id",
  column: "sealed",
  purpose: secretPurpose
}

export interface NewSecret {
  readonly webhookId: string
  readonly number: number
  readonly sealed: Uint8Array
  readonly createdAt: number
}

/** Sealed secrets of webhooks. */
export class WebhookSecretRepository extends Context.Service<
  WebhookSecretRepository,
  {
    /** Stores a secret that no event has put in use yet, in place of one that never was. */
    readonly put: (secret: NewSecret) => Effect.Effect<void, Unavailable>
    /** The secrets that may sign for a webhook, by their number: its present one, and those before it. */
    readonly ofWebhook: (webhookId: string) => Effect.Effect<ReadonlyMap<number, Uint8Array>, Unavailable>
    /** Removes those below a number. */
    readonly removeBelow: (webhookId: string, number: number) => Effect.Effect<void, Unavailable>
  }
>()("emporion/webhooks/WebhookSecretRepository") {
  static readonly layer: Layer.Layer<WebhookSecretRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      WebhookSecretRepository.of({
        put: ({ createdAt, number, sealed, webhookId }) =>
          sql`
            INSERT INTO webhook_secrets (id, webhook_id, number, sealed, created_at)
            VALUES (${secretKey(webhookId, number)}, ${webhookId}, ${number}, ${sealed}, ${BigInt(createdAt)})
            ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at`.pipe(
            unavailableOrDie,
            Effect.asVoid
          ),
        ofWebhook: (webhookId) =>
          sql<{ readonly number: number; readonly sealed: Uint8Array }>`
            SELECT secret.number, secret.sealed
            FROM webhooks AS webhook
            JOIN webhook_secrets AS secret
              ON secret.id = ANY (ARRAY(SELECT webhook.id || '/' || webhook.secret_number - earlier
                FROM generate_series(0, 1 + cardinality(webhook.earlier_until)) AS earlier))
            WHERE webhook.id = ${webhookId}`.pipe(
            unavailableOrDie,
            Effect.map((rows) => new Map(rows.map(({ number, sealed }) => [number, sealed])))
          ),
        removeBelow: (webhookId, number) =>
          sql`DELETE FROM webhook_secrets WHERE webhook_id = ${webhookId} AND number < ${number}`.pipe(
            unavailableOrDie,
            Effect.asVoid
          )
      })
    )
  )
}
