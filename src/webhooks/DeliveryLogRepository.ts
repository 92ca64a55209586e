import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { DeliveryState, DeliveryStatus } from "../../engine/webhooks/Delivery.ts"
import type { WebhookStatus } from "../../engine/webhooks/Webhook.ts"
import type { WebhookEventType } from "../../engine/webhooks/WebhookEventType.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** The outcome of the last attempt at a delivery. Times are milliseconds since 1970. */
export interface LastAttempt {
  readonly startedAt: number
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
}

/** An attempt with all that was kept of it. */
export interface KeptAttempt extends LastAttempt {
  readonly round: number
  readonly number: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly answer: string | null
}

/** One event on its way to one webhook. */
export interface LoggedDelivery {
  readonly id: string
  readonly webhookId: string
  readonly companyId: string
  readonly eventId: string
  /** Its place in all events. */
  readonly eventSeq: number
  readonly type: WebhookEventType
  readonly state: DeliveryState
  readonly round: number
  readonly last: LastAttempt | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A delivery with its event and its webhook's present state. */
export interface FoundDelivery extends LoggedDelivery {
  readonly body: string
  readonly webhook: { readonly url: string; readonly status: WebhookStatus }
}

/** Which deliveries are listed; undefined for any. */
export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined
  readonly type: WebhookEventType | undefined
}

export interface DeliveryPage {
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** How many deliveries were retried, and how many more there are. */
export interface Retried {
  readonly retried: number
  readonly left: number
}

interface DeliveryRow {
  readonly id: string
  readonly webhook_id: string
  readonly company_id: string
  readonly event_id: string
  readonly event_seq: bigint
  readonly type: WebhookEventType
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly round: number
  readonly due_at: bigint | null
  readonly created_at: bigint
  readonly updated_at: bigint
  readonly last_started_at: bigint | null
  readonly last_duration_ms: number | null
  readonly last_status: number | null
  readonly last_error: string | null
}

interface FoundRow extends DeliveryRow {
  readonly body: string
  readonly url: string
  readonly webhook_status: WebhookStatus
}

interface AttemptRow {
  readonly round: number
  readonly n: number
  readonly started_at: bigint
  readonly duration_ms: number
  readonly url: string
  readonly headers: string
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

const lastOf = (row: DeliveryRow): LastAttempt | null =>
  row.last_started_at === null || row.last_duration_ms === null
    ? null
    : {
        startedAt: Number(row.last_started_at),
        durationMs: row.last_duration_ms,
        status: row.last_status,
        error: row.last_error
      }

const toDelivery = (row: DeliveryRow): LoggedDelivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  companyId: row.company_id,
  eventId: row.event_id,
  eventSeq: Number(row.event_seq),
  type: row.type,
  state: {
    status: row.status,
    attempts: row.attempts,
    dueAt: row.due_at === null ? null : Number(row.due_at)
  },
  round: row.round,
  last: lastOf(row),
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at)
})

const toFound = (row: FoundRow): FoundDelivery => ({
  ...toDelivery(row),
  body: row.body,
  webhook: { url: row.url, status: row.webhook_status }
})

const toAttempt = (row: AttemptRow): KeptAttempt => ({
  round: row.round,
  number: row.n,
  startedAt: Number(row.started_at),
  durationMs: row.duration_ms,
  url: row.url,
  headers: JSON.parse(row.headers) as Record<string, string>,
  status: row.status,
  error: row.error,
  answer: row.answer
})

/** Deliveries as people read them and retry them. */
export class DeliveryLogRepository extends Context.Service<
  DeliveryLogRepository,
  {
    /** A webhook's, newest first. */
    readonly list: (
      webhookId: string,
      filter: DeliveryFilter,
      page: Page
    ) => Effect.Effect<DeliveryPage, Unavailable | Keyset.UnknownCursor>
    readonly find: (id: string) => Effect.Effect<FoundDelivery | undefined, Unavailable>
    /** A company's deliveries that began on a day (days since 1970 in UTC), and all that are held. */
    readonly today: (
      companyId: string,
      day: number
    ) => Effect.Effect<{ readonly begun: number; readonly held: number }, Unavailable>
    /** The last attempts at a delivery, oldest first. */
    readonly attempts: (id: string, limit: number) => Effect.Effect<ReadonlyArray<KeptAttempt>, Unavailable>
    /** Begins a new round of a delivery that failed in this round; false if it is no longer failed. */
    readonly retry: (id: string, round: number, now: number) => Effect.Effect<boolean, Unavailable>
    /** The same for those of a webhook that failed since a time, the oldest first. */
    readonly retryFailed: (
      webhookId: string,
      since: number,
      limit: number,
      now: number
    ) => Effect.Effect<Retried, Unavailable>
  }
>()("emporion/webhooks/DeliveryLogRepository") {
  static readonly layer: Layer.Layer<DeliveryLogRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => DeliveryLogRepository.of({ ...reads(sql), ...retries(sql) }))
  )
}

const reads = (sql: SqlClient) => {
  const columns = sql`
    delivery.*, event.type, last.started_at AS last_started_at, last.duration_ms AS last_duration_ms,
    last.status AS last_status, last.error AS last_error`
  const last = sql`
    LEFT JOIN LATERAL (
      SELECT started_at, duration_ms, status, error FROM webhook_attempts
      WHERE delivery_id = delivery.id ORDER BY round DESC, n DESC LIMIT 1) AS last ON true`
  return {
    list: Effect.fnUntraced(function* (webhookId: string, { status, type }: DeliveryFilter, page: Page) {
      const from = sql`webhook_deliveries AS delivery JOIN webhook_events AS event ON event.id = delivery.event_id`
      const listed: Keyset.Listed<DeliveryRow> = {
        select: sql`SELECT ${columns} FROM ${from} ${last}`,
        from,
        scope: sql`delivery.webhook_id = ${webhookId}`,
        wanted: sql.and([
          ...(status === undefined ? [] : [sql`delivery.status = ${status}`]),
          ...(type === undefined ? [] : [sql`event.type = ${type}`]),
          sql`true`
        ]),
        order: [
          { column: "delivery.event_seq", descending: true },
          { column: "delivery.event_id", descending: true }
        ],
        id: "delivery.id",
        idOf: ({ id }) => id,
        placeOf: ({ event_id, event_seq }) => [event_seq, event_id]
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { deliveries: rows.map(toDelivery), total, next }
    }, unavailableOrDie),
    find: (id: string) =>
      sql<FoundRow>`
        SELECT ${columns}, event.body, webhook.url, webhook.status AS webhook_status
        FROM webhook_deliveries AS delivery
        JOIN webhook_events AS event ON event.id = delivery.event_id
        JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
        ${last} WHERE delivery.id = ${id}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toFound)[0])
      ),
    today: (companyId: string, day: number) =>
      sql<{ readonly begun: bigint; readonly held: bigint }>`
        SELECT
          coalesce((SELECT deliveries FROM webhook_days
            WHERE company_id = ${companyId} AND day = date '1970-01-01' + ${day}::integer), 0)::bigint AS begun,
          (SELECT count(*) FROM webhook_deliveries WHERE company_id = ${companyId} AND status = 'held') AS held`.pipe(
        unavailableOrDie,
        Effect.map(([row]) => ({ begun: Number(row?.begun ?? 0n), held: Number(row?.held ?? 0n) }))
      ),
    attempts: (id: string, limit: number) =>
      sql<AttemptRow>`
        SELECT round, n, started_at, duration_ms, url, headers, status, error, answer FROM webhook_attempts
        WHERE delivery_id = ${id} ORDER BY round DESC, n DESC LIMIT ${limit}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toAttempt).toReversed())
      )
  }
}

const retries = (sql: SqlClient) => {
  const anew = (now: number) =>
    sql`status = 'pending', attempts = 0, round = round + 1, due_at = ${BigInt(now)}, updated_at = ${BigInt(now)}`
  return {
    retry: (id: string, round: number, now: number) =>
      sql`
        UPDATE webhook_deliveries SET ${anew(now)}
        WHERE id = ${id} AND round = ${round} AND status = 'failed' RETURNING id`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.length > 0)
      ),
    retryFailed: Effect.fnUntraced(function* (webhookId: string, since: number, limit: number, now: number) {
      const failed = sql`webhook_id = ${webhookId} AND status = 'failed' AND updated_at >= ${BigInt(since)}`
      const [row] = yield* sql<{ readonly retried: bigint }>`
        WITH chosen AS (SELECT id FROM webhook_deliveries WHERE ${failed} ORDER BY updated_at, event_seq LIMIT ${limit}),
          retried AS (
            UPDATE webhook_deliveries SET ${anew(now)}
            WHERE id IN (SELECT id FROM chosen) AND status = 'failed' RETURNING id)
        SELECT count(*) AS retried FROM retried`
      const [left] = yield* sql<{
        readonly total: bigint
      }>`SELECT count(*) AS total FROM webhook_deliveries WHERE ${failed}`
      return { retried: Number(row?.retried ?? 0n), left: Number(left?.total ?? 0n) }
    }, unavailableOrDie)
  }
}
