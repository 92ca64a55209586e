import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { WebhookState, WebhookStatus } from "../../engine/webhooks/Webhook.ts"
import type { DisabledCause } from "../../engine/webhooks/WebhookEvent.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { metadataColumn } from "../../engine/metadata/Metadata.ts"
import * as Keyset from "../database/Keyset.ts"

interface WebhookRow {
  readonly id: string
  readonly company_id: string
  readonly created_by: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly description: string | null
  readonly status: WebhookStatus
  readonly disabled_cause: DisabledCause | null
  readonly disabled_at: bigint | null
  readonly secret_number: number
  readonly previous_until: bigint | null
  readonly earlier_until: ReadonlyArray<bigint>
  readonly created_at: bigint
  readonly enabled_at: bigint
  readonly updated_at: bigint
  readonly failing_since: bigint | null
  readonly version: number
  readonly metadata: string
}

/** A webhook as its events made it, and how its attempts went since. */
export interface StoredWebhook {
  readonly state: WebhookState
  /** The first failed attempt of those that count since the last success, in milliseconds since 1970, or null. */
  readonly failingSince: number | null
}

/** How many webhooks a company ever made, and how many of them it has. */
export interface WebhookCounts {
  readonly made: number
  readonly living: number
}

export interface WebhookPage {
  readonly webhooks: ReadonlyArray<StoredWebhook>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

const numberOf = (value: bigint | null): number | null => (value === null ? null : Number(value))

const toWebhook = (row: WebhookRow): StoredWebhook => ({
  failingSince: numberOf(row.failing_since),
  state: {
    webhookId: row.id,
    companyId: row.company_id,
    createdBy: row.created_by,
    settings: { url: row.url, events: row.events, description: row.description, ...metadataColumn(row) },
    status: row.status,
    disabled: row.disabled_cause === null ? null : { cause: row.disabled_cause, at: Number(row.disabled_at) },
    secretNumber: row.secret_number,
    previousUntil: numberOf(row.previous_until),
    earlierUntil: row.earlier_until.map(Number),
    createdAt: Number(row.created_at),
    countsFrom: Number(row.enabled_at),
    updatedAt: Number(row.updated_at),
    version: row.version
  }
})

/** Webhooks as they are read. Deleted ones can be found, but no list has them. */
export class WebhookRepository extends Context.Service<
  WebhookRepository,
  {
    readonly find: (id: string) => Effect.Effect<StoredWebhook | undefined, Unavailable>
    /** A company's, oldest first. */
    readonly list: (companyId: string, page: Page) => Effect.Effect<WebhookPage, Unavailable | Keyset.UnknownCursor>
    /** How many a company ever made, and how many of them it has. */
    readonly counts: (companyId: string) => Effect.Effect<WebhookCounts, Unavailable>
    /** The oldest of a company's with a URL as one of these is written, if there is one. */
    readonly byUrl: (
      companyId: string,
      urls: ReadonlyArray<string>
    ) => Effect.Effect<StoredWebhook | undefined, Unavailable>
  }
>()("emporion/webhooks/WebhookRepository") {
  static readonly layer: Layer.Layer<WebhookRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => WebhookRepository.of(reads(sql)))
  )
}

const reads = (sql: SqlClient) => {
  const select = sql`
    SELECT webhook.*, health.failing_since, stream.version
    FROM webhooks AS webhook JOIN event_streams AS stream ON stream.id = 'webhook/' || webhook.id
      LEFT JOIN webhook_health AS health
        ON health.webhook_id = webhook.id AND health.failing_since >= webhook.enabled_at`
  const living = (companyId: string) => sql`company_id = ${companyId} AND status <> 'deleted'`
  const counts = (companyId: string) =>
    sql<{ readonly made: bigint; readonly living: bigint }>`
      SELECT count(*) AS made, count(*) FILTER (WHERE status <> 'deleted') AS living
      FROM webhooks WHERE company_id = ${companyId}`.pipe(
      unavailableOrDie,
      Effect.map(([row]) => ({ made: Number(row?.made ?? 0n), living: Number(row?.living ?? 0n) }))
    )
  return {
    find: (id: string) =>
      sql<WebhookRow>`${select} WHERE webhook.id = ${id}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toWebhook)[0])
      ),
    list: Effect.fnUntraced(function* (companyId: string, page: Page) {
      const listed: Keyset.Listed<WebhookRow> = {
        select,
        from: sql`webhooks AS webhook`,
        scope: sql`company_id = ${companyId}`,
        wanted: sql`status <> 'deleted'`,
        order: [{ column: "created_at" }, { column: "webhook.id" }],
        id: "webhook.id",
        idOf: ({ id }) => id
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { webhooks: rows.map(toWebhook), total, next }
    }, unavailableOrDie),
    counts,
    byUrl: (companyId: string, urls: ReadonlyArray<string>) =>
      sql<WebhookRow>`
        ${select} WHERE ${living(companyId)} AND url = ANY(${texts(urls)}::text[]) ORDER BY created_at, webhook.id LIMIT 1`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toWebhook)[0])
      )
  }
}
