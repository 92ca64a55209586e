import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AttemptRecord, DueDeliveries, DueDelivery } from "../../engine/webhooks/EndpointActor.ts"
import { nullableBigints, nullableTexts, texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** What is kept of an attempt beside its times and status. */
export interface KeptAttempt {
  readonly url: string
  /** The request's headers, as JSON. */
  readonly headers: string
  /** Why no answer came, for a person; null where one came. */
  readonly error: string | null
  /** The beginning of the answer's body; null where none came. */
  readonly answer: string | null
}

export type KeptRecord = AttemptRecord<KeptAttempt>

/** When an endpoint's next attempt is due. */
export interface EndpointDue {
  readonly webhookId: string
  readonly at: number
}

/** An array of times, of which some are null. */
const times = (values: ReadonlyArray<number | null>): PgTypes.Parameter =>
  nullableBigints(values.map((value) => (value === null ? null : BigInt(value))))

/** An array of small integers, of which some are null. */
const integers = (values: ReadonlyArray<number | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.int4))

interface DueRow {
  readonly id: string
  readonly event_id: string
  readonly event_seq: bigint
  readonly body: string
  readonly round: number
  readonly attempts: number
}

/** A row has a delivery that is due, if one is, and when the next becomes due. */
type FoundRow = { readonly next_at: bigint | null } & (DueRow | { readonly [Column in keyof DueRow]: null })

const dueIn = (row: FoundRow): ReadonlyArray<DueDelivery> =>
  row.id === null
    ? []
    : [
        {
          deliveryId: row.id,
          eventId: row.event_id,
          eventSeq: Number(row.event_seq),
          body: row.body,
          round: row.round,
          attempts: row.attempts
        }
      ]

const foundIn = (rows: ReadonlyArray<FoundRow>): DueDeliveries => {
  const nextAt = rows[0]?.next_at ?? null
  return { deliveries: rows.flatMap(dueIn), nextAt: nextAt === null ? undefined : Number(nextAt) }
}

const reads = (sql: SqlClient) => ({
  due: (webhookId: string, now: number, except: ReadonlySet<string>, limit: number) =>
    sql<FoundRow>`
      SELECT later.next_at, d.id, d.event_id, d.event_seq, e.body, d.round, d.attempts
      FROM (
        SELECT (SELECT due_at FROM webhook_deliveries
          WHERE webhook_id = ${webhookId} AND status = 'pending' AND due_at > ${BigInt(now)}
          ORDER BY due_at LIMIT 1) AS next_at
      ) AS later LEFT JOIN (
        SELECT id, event_id, event_seq, round, attempts, due_at FROM webhook_deliveries AS due
        WHERE webhook_id = ${webhookId} AND status = 'pending' AND due_at <= ${BigInt(now)}
          AND NOT EXISTS (SELECT FROM unnest(${texts([...except])}::text[]) AS taken (id) WHERE taken.id = due.id)
        ORDER BY due_at, event_seq, id LIMIT ${BigInt(limit)}
      ) AS d ON true LEFT JOIN webhook_events AS e ON e.id = d.event_id
      ORDER BY d.due_at, d.event_seq, d.id`.pipe(Effect.map(foundIn), unavailableOrDie),
  endpointsOf: (companyId: string) =>
    sql<{ readonly id: string }>`SELECT id FROM webhooks WHERE company_id = ${companyId} AND status = 'enabled'`.pipe(
      Effect.map((rows) => rows.map(({ id }) => id)),
      unavailableOrDie
    ),
  nextDue: sql<{ id: string; at: bigint }>`
    SELECT w.id, (
      SELECT d.due_at FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.status = 'pending'
      ORDER BY d.due_at LIMIT 1) AS at
    FROM webhooks AS w WHERE w.status = 'enabled' AND EXISTS (
      SELECT FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.status = 'pending')`.pipe(
    Effect.map((rows) => rows.map(({ at, id }): EndpointDue => ({ webhookId: id, at: Number(at) }))),
    unavailableOrDie
  )
})

/** Since when each endpoint fails after its last attempt, and which endpoints do not fail. */
const healthsOf = (records: ReadonlyArray<KeptRecord>) => {
  const healths = new Map(records.map(({ health, webhookId }) => [webhookId, health.failingSince]))
  const failing = [...healths].flatMap(([id, since]) => (since === null ? [] : [{ id, since }]))
  return { failing, healthy: [...healths].flatMap(([id, since]) => (since === null ? [id] : [])) }
}

/**
 * One statement, and so one transaction. An attempt that was made twice, before and after a crash, counts once: only one
 * that follows the delivery's last is taken, and none of a delivery that is gone.
 */
const record = (sql: SqlClient) => (records: ReadonlyArray<KeptRecord>) => {
  const { failing, healthy } = healthsOf(records)
  const small = (of: (record: KeptRecord) => number | null) => integers(records.map(of))
  const time = (of: (record: KeptRecord) => number | null) => times(records.map(of))
  return sql`
    WITH given AS (
      SELECT * FROM unnest(
        ${texts(records.map(({ delivery }) => delivery.deliveryId))}::text[],
        ${small(({ delivery }) => delivery.round)}::integer[],
        ${small(({ after }) => after.attempts)}::integer[],
        ${time(({ outcome }) => outcome.startedAt)}::bigint[],
        ${time(({ outcome }) => outcome.endedAt)}::bigint[],
        ${small(({ outcome }) => outcome.status)}::integer[],
        ${texts(records.map(({ sent }) => sent.url))}::text[],
        ${texts(records.map(({ sent }) => sent.headers))}::text[],
        ${nullableTexts(records.map(({ outcome, sent }) => (outcome.status === null ? sent.error : null)))}::text[],
        ${nullableTexts(records.map(({ sent }) => sent.answer))}::text[],
        ${texts(records.map(({ after }) => after.status))}::text[],
        ${time(({ after }) => after.dueAt)}::bigint[]
      ) AS g (id, round, n, started_at, ended_at, status, url, headers, error, answer, stands, due_at)
    ), moved AS (
      UPDATE webhook_deliveries AS d SET status = g.stands, attempts = g.n, due_at = g.due_at, updated_at = g.ended_at
      FROM given AS g
      WHERE d.id = g.id AND d.round = g.round AND d.attempts = g.n - 1 AND d.due_at IS NOT NULL
      RETURNING d.id, g.round, g.n
    ), failing AS (
      INSERT INTO webhook_health AS health (webhook_id, failing_since)
      SELECT * FROM unnest(
        ${texts(failing.map(({ id }) => id))}::text[], ${times(failing.map(({ since }) => since))}::bigint[])
      ON CONFLICT (webhook_id) DO UPDATE SET failing_since = EXCLUDED.failing_since
      WHERE health.failing_since <> EXCLUDED.failing_since
    ), healthy AS (
      DELETE FROM webhook_health WHERE webhook_id = ANY (${texts(healthy)}::text[])
    )
    INSERT INTO webhook_attempts
      (delivery_id, round, n, started_at, duration_ms, url, headers, status, error, answer)
    SELECT id, round, n, started_at, ended_at - started_at, url, headers, status, error, answer
    FROM given JOIN moved USING (id, round, n)`.pipe(Effect.asVoid, unavailableOrDie)
}

/** Held deliveries of companies that have room begin now, the oldest first. Returns their endpoints. */
const release = (sql: SqlClient) => (companyId: string, day: number, room: number, now: number) =>
  sql<{ webhook_id: string; released: bigint }>`
    WITH chosen AS (
      SELECT id FROM webhook_deliveries WHERE company_id = ${companyId} AND status = 'held'
      ORDER BY event_seq LIMIT ${BigInt(room)}
    ), released AS (
      UPDATE webhook_deliveries AS d SET status = 'pending', due_at = ${BigInt(now)}, updated_at = ${BigInt(now)}
      FROM chosen WHERE d.id = chosen.id RETURNING d.webhook_id
    ), counted AS (
      INSERT INTO webhook_days (company_id, day, deliveries)
      SELECT ${companyId}, date '1970-01-01' + ${day}::integer, count(*) FROM released HAVING count(*) > 0
      ON CONFLICT (company_id, day) DO UPDATE SET deliveries = webhook_days.deliveries + excluded.deliveries
    )
    SELECT webhook_id, count(*) AS released FROM released GROUP BY webhook_id`.pipe(
    Effect.map((rows) => rows.map((row) => ({ webhookId: row.webhook_id, released: Number(row.released) }))),
    unavailableOrDie
  )

/** The deliveries of events, as their senders need them. */
export class DeliveryRepository extends Context.Service<
  DeliveryRepository,
  {
    /** The pending deliveries that are due, except for some, the longest due first; and when the next becomes due. */
    readonly due: (
      webhookId: string,
      now: number,
      except: ReadonlySet<string>,
      limit: number
    ) => Effect.Effect<DueDeliveries, Unavailable>
    /** Every enabled endpoint with a pending delivery. */
    readonly nextDue: Effect.Effect<ReadonlyArray<EndpointDue>, Unavailable>
    /** The ids of a company's webhooks that are enabled. */
    readonly endpointsOf: (companyId: string) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Writes attempts, the new states of their deliveries, and their endpoints' health; all or nothing. */
    readonly record: (records: ReadonlyArray<KeptRecord>) => Effect.Effect<void, Unavailable>
    /** The companies with deliveries that are held. */
    readonly holding: Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** How many deliveries of companies began on a day (days since 1970 in UTC). */
    readonly begun: (
      companyIds: ReadonlyArray<string>,
      day: number
    ) => Effect.Effect<ReadonlyMap<string, number>, Unavailable>
    /** Lets a number of a company's held deliveries begin, and counts them; answers how many of each endpoint. */
    readonly release: (
      companyId: string,
      day: number,
      room: number,
      now: number
    ) => Effect.Effect<ReadonlyArray<{ readonly webhookId: string; readonly released: number }>, Unavailable>
  }
>()("emporion/webhooks/DeliveryRepository") {
  static readonly layer: Layer.Layer<DeliveryRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      DeliveryRepository.of({
        ...reads(sql),
        record: record(sql),
        release: release(sql),
        holding: sql<{ company_id: string }>`
          SELECT DISTINCT company_id FROM webhook_deliveries WHERE status = 'held'`.pipe(
          Effect.map((rows) => rows.map(({ company_id: id }) => id)),
          unavailableOrDie
        ),
        begun: (companyIds, day) =>
          sql<{ company_id: string; deliveries: bigint }>`
            SELECT company_id, deliveries FROM webhook_days
            WHERE day = date '1970-01-01' + ${day}::integer AND company_id = ANY (${texts(companyIds)}::text[])`.pipe(
            Effect.map((rows) => new Map(rows.map((row) => [row.company_id, Number(row.deliveries)] as const))),
            unavailableOrDie
          )
      })
    )
  )
}
