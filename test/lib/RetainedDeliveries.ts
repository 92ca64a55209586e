import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { DeliveryStatus } from "../../engine/webhooks/Delivery.ts"

/** An event that companies were told of, and what came of it. Times are milliseconds since 1970. */
export interface RetainedEvent {
  readonly at: number
  readonly deliveries: ReadonlyArray<{
    readonly webhook: "enabled" | "disabled" | "deleted"
    readonly status: DeliveryStatus
    readonly updatedAt: number
    readonly attempts: number
  }>
}

/** How many rows there are of each kind, by the ids of their events or deliveries. */
export interface RetainedRows {
  readonly events: ReadonlyArray<string>
  readonly deliveries: ReadonlyArray<string>
  /** The delivery of each attempt. */
  readonly attempts: ReadonlyArray<string>
}

/** Deliveries of one event at most: a webhook gets an event once. */
const MOST = 3

/** Removes what is there, and makes webhooks of each status. */
export const emptyDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of ["webhook_attempts", "webhook_deliveries", "webhook_events", "webhooks", "events"]) {
    yield* sql.unsafe(`DELETE FROM ${table}`)
  }
  yield* sql`
    INSERT INTO webhooks (id, company_id, created_by, url, events, status, disabled_cause, disabled_at, secret_number,
      created_at, enabled_at, updated_at, created_seq, event_seq)
    SELECT status || '_' || n, 'cmp_a', 'usr_a', 'https://hook.example/', ARRAY['*'], status,
      CASE status WHEN 'disabled' THEN 'requested' END, CASE status WHEN 'disabled' THEN 1 END, 1, 1, 1, 1, 1, 1
    FROM unnest(ARRAY['enabled', 'disabled', 'deleted']) AS status, generate_series(0, ${MOST - 1}::integer) AS n`
})

/** Writes events after the place `from` in the journal, as the program would have written them. */
export const writeDeliveries = Effect.fnUntraced(function* (made: ReadonlyArray<RetainedEvent>, from: number) {
  const sql = yield* SqlClient
  const events = made.map(({ at }, index) => ({ id: `evt_${from + index + 1}`, seq: from + index + 1, at }))
  const deliveries = made.flatMap(({ at, deliveries }, index) =>
    deliveries.map((delivery, n) => ({ ...delivery, n, id: `whd_${from + index + 1}_${n}`, seq: from + index + 1, at }))
  )
  yield* sql`
    INSERT INTO events (seq, stream, version, type, data, hash)
    SELECT seq, 'test/' || seq, 1, 'Tested', '{}', decode(repeat('00', 32), 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS e (seq bigint)`
  yield* sql`
    INSERT INTO webhook_events (id, seq, type, company_id, created_at, body)
    SELECT id, seq, 'order.paid', 'cmp_a', at, '{}'
    FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS e (id text, seq bigint, at bigint)`
  yield* sql`
    INSERT INTO webhook_deliveries
      (id, webhook_id, company_id, event_id, event_seq, status, attempts, round, due_at, created_at, updated_at)
    SELECT id, webhook || '_' || n, 'cmp_a', 'evt_' || seq, seq, status, attempts, 1,
      CASE status WHEN 'pending' THEN "updatedAt" END, at, "updatedAt"
    FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
      AS d (id text, webhook text, n integer, seq bigint, status text, attempts integer, at bigint, "updatedAt" bigint)`
  yield* sql`
    INSERT INTO webhook_attempts (delivery_id, round, n, started_at, duration_ms, url, headers, status)
    SELECT id, 1, n, created_at, 1, 'https://hook.example/', '{}', 500
    FROM webhook_deliveries CROSS JOIN LATERAL generate_series(1, attempts) AS n WHERE event_seq > ${BigInt(from)}`
})

/** What is left. */
export const leftDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id).toSorted()
  const left: RetainedRows = {
    events: idsOf(yield* sql<{ id: string }>`SELECT id FROM webhook_events`),
    deliveries: idsOf(yield* sql<{ id: string }>`SELECT id FROM webhook_deliveries`),
    attempts: idsOf(yield* sql<{ id: string }>`SELECT delivery_id AS id FROM webhook_attempts`)
  }
  return left
})
