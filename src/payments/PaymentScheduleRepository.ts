import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** Payments of which something was recorded that come due at once, and the others of the last one's event. */
const MAX_HEARD = 1_000

/** A payment that comes due later, unless something is recorded. */
export interface PaymentLease {
  readonly until: number
  /** The last event of the payment by then; 0 where none is known. */
  readonly seq: number
}

/** When payments are looked at: at once after an event, or later. */
export class PaymentScheduleRepository extends Context.Service<
  PaymentScheduleRepository,
  {
    /** The payments about which something is to be done by now, the longest due first. */
    readonly due: (now: number, most: number) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** How often in a row a payment's provider gave no answer. */
    readonly attempts: (id: string) => Effect.Effect<number, Unavailable>
    /** Lets a payment come due at `until`, unless something is recorded that makes it due earlier. */
    readonly lease: (id: string, until: number) => Effect.Effect<PaymentLease, Unavailable>
    /** Ends a lease: the payment comes due at `due`, or never. What is recorded since makes it due all the same. */
    readonly release: (id: string, lease: PaymentLease, due: number | undefined) => Effect.Effect<void, Unavailable>
    /** Lets a payment come due later, after so many requests without an answer. */
    readonly postpone: (id: string, due: number, attempts: number) => Effect.Effect<void, Unavailable>
  }
>()("emporion/payments/PaymentScheduleRepository") {
  static readonly layer: Layer.Layer<PaymentScheduleRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => PaymentScheduleRepository.of({ ...reads(sql), ...writes(sql) }))
  )
}

/**
 * Lets the payments come due of which something was recorded since this was done last, but for those that were looked
 * at since, and those that are paid at once.
 */
const hear = (sql: SqlClient, now: number) => sql`
  WITH fresh AS (
    SELECT id, direct, event_seq FROM payments WHERE event_seq > (SELECT seq FROM payment_cursor)
    ORDER BY event_seq FETCH FIRST ${MAX_HEARD} ROWS WITH TIES
  ), heard AS (
    INSERT INTO payment_schedule AS schedule (payment_id, due_at, attempts, event_seq)
    SELECT id, ${BigInt(now)}, 0, event_seq FROM fresh WHERE NOT direct
    ON CONFLICT (payment_id) DO UPDATE SET due_at = EXCLUDED.due_at, attempts = 0, event_seq = EXCLUDED.event_seq
    WHERE schedule.event_seq < EXCLUDED.event_seq
  )
  UPDATE payment_cursor SET seq = last.seq FROM (SELECT max(event_seq) AS seq FROM fresh) AS last
  WHERE last.seq IS NOT NULL`

const reads = (sql: SqlClient) => ({
  due: (now: number, most: number) =>
    Effect.andThen(
      hear(sql, now),
      sql<{ readonly payment_id: string }>`
        SELECT payment_id FROM payment_schedule WHERE due_at <= ${BigInt(now)}
        ORDER BY due_at, payment_id LIMIT ${most}`
    ).pipe(
      Effect.map((rows) => rows.map((row) => row.payment_id)),
      unavailableOrDie
    ),
  attempts: (id: string) =>
    sql<{ readonly attempts: number }>`
      SELECT schedule.attempts FROM payment_schedule AS schedule JOIN payments AS payment
        ON payment.id = schedule.payment_id AND payment.event_seq = schedule.event_seq
      WHERE schedule.payment_id = ${id}`.pipe(
      Effect.map(([row]) => row?.attempts ?? 0),
      unavailableOrDie
    )
})

const seqOf = (sql: SqlClient, id: string) => sql`coalesce((SELECT event_seq FROM payments WHERE id = ${id}), 0)`

const writes = (sql: SqlClient) => ({
  lease: (id: string, until: number) =>
    sql<{ readonly seq: bigint }>`
      INSERT INTO payment_schedule (payment_id, due_at, attempts, event_seq) VALUES (${id}, ${BigInt(until)}, 0, 0)
      ON CONFLICT (payment_id) DO UPDATE SET due_at = EXCLUDED.due_at
      RETURNING ${seqOf(sql, id)} AS seq`.pipe(
      Effect.map(([row]) => ({ until, seq: Number(row?.seq ?? 0n) })),
      unavailableOrDie
    ),
  release: (id: string, { seq, until }: PaymentLease, due: number | undefined) =>
    sql`
      UPDATE payment_schedule SET due_at = ${due === undefined ? null : BigInt(due)}, attempts = 0,
        event_seq = ${BigInt(seq)}
      WHERE payment_id = ${id} AND due_at = ${BigInt(until)}`.pipe(Effect.asVoid, unavailableOrDie),
  postpone: (id: string, due: number, attempts: number) =>
    sql`
      INSERT INTO payment_schedule (payment_id, due_at, attempts, event_seq)
      VALUES (${id}, ${BigInt(due)}, ${attempts}, ${seqOf(sql, id)})
      ON CONFLICT (payment_id) DO UPDATE SET due_at = EXCLUDED.due_at, attempts = EXCLUDED.attempts,
        event_seq = EXCLUDED.event_seq`.pipe(Effect.asVoid, unavailableOrDie)
})
