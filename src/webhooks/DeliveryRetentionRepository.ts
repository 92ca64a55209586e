import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { dayOf } from "../../engine/webhooks/DeliveryQuota.ts"
import { texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { Step } from "../Retention.ts"

interface Counted {
  readonly removed: bigint
}

const countOf = ([row]: ReadonlyArray<Counted>): number => Number(row?.removed ?? 0n)

/** Events that are looked at together: their places in the journal are after `from`, and up to `to`. */
interface Span {
  readonly from: bigint
  readonly to: bigint
  readonly horizon: bigint
  /** Rows of a table that are removed at most. */
  readonly limit: bigint
}

/** The next events' span; undefined where none of them is old. */
const spanOf = (sql: SqlClient) => (horizon: bigint, from: bigint, limit: bigint) =>
  sql<{ readonly to: bigint | null }>`
    SELECT max(seq) AS to FROM (
      SELECT seq, created_at FROM webhook_events WHERE seq > ${from} ORDER BY seq LIMIT ${limit}) AS next
    WHERE created_at < ${horizon}`.pipe(
    Effect.map(([row]): Span | undefined => {
      const to = row?.to ?? null
      return to === null ? undefined : { from, to, horizon, limit }
    })
  )

const removals = (sql: SqlClient) => ({
  /**
   * A delivery waits while it is pending or held, unless its webhook was deleted or its company forgotten, which is
   * final. The ids are read first: a plan for a list looks each up, one for a subquery may read a whole table.
   */
  deliveries: Effect.fnUntraced(function* ({ from, horizon, limit, to }: Span) {
    const over = yield* sql<{ readonly id: string }>`
      SELECT d.id FROM webhook_deliveries AS d
      WHERE d.event_seq > ${from} AND d.event_seq <= ${to} AND d.updated_at < ${horizon}
        AND (d.status IN ('delivered', 'failed')
          OR EXISTS (SELECT FROM webhooks AS w WHERE w.id = d.webhook_id AND w.status = 'deleted')
          OR EXISTS (SELECT FROM erasures WHERE erasures.id = d.company_id))
      ORDER BY d.event_seq LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED`
    if (over.length === 0) return { deliveries: 0, attempts: 0 }
    const ids = texts(over.map(({ id }) => id))
    const attempts = yield* sql<Counted>`
      WITH gone AS (DELETE FROM webhook_attempts WHERE delivery_id = ANY (${ids}::text[]) RETURNING delivery_id)
      SELECT count(*) AS removed FROM gone`
    yield* sql`DELETE FROM webhook_deliveries WHERE id = ANY (${ids}::text[])`
    return { deliveries: over.length, attempts: countOf(attempts) }
  }),
  /** Those of which nothing is left to deliver or to show. */
  events: ({ from, horizon, to }: Span) =>
    sql<Counted>`
      WITH gone AS (
        DELETE FROM webhook_events AS e WHERE e.seq > ${from} AND e.seq <= ${to} AND e.created_at < ${horizon}
          AND NOT EXISTS (
            SELECT FROM webhook_deliveries AS d WHERE d.event_seq > ${from} AND d.event_seq <= ${to}
              AND d.event_seq = e.seq AND d.event_id = e.id)
        RETURNING e.id)
      SELECT count(*) AS removed FROM gone`.pipe(Effect.map(countOf)),
  days: (horizon: number, limit: bigint) =>
    sql<Counted>`
      WITH gone AS (
        DELETE FROM webhook_days WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM webhook_days WHERE day < date '1970-01-01' + ${dayOf(horizon)}::integer LIMIT ${limit}))
        RETURNING day)
      SELECT count(*) AS removed FROM gone`.pipe(Effect.map(countOf))
})

/** Deliveries that are removed at an age. */
export class DeliveryRetentionRepository extends Context.Service<
  DeliveryRetentionRepository,
  {
    /**
     * Removes deliveries that ended before a time, with their attempts, of the next events after a place; then those of
     * these events that no delivery names any more. After the last event it removes the counts of old days.
     *
     * @param limit - rows of a table that are removed at most; of attempts, those of so many deliveries
     */
    readonly removeSome: (horizon: number, from: number, limit: number) => Effect.Effect<Step, Unavailable>
  }
>()("emporion/webhooks/DeliveryRetentionRepository") {
  static readonly layer: Layer.Layer<DeliveryRetentionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const { days, deliveries, events } = removals(sql)
      const next = spanOf(sql)
      const removeSome = Effect.fnUntraced(function* (
        horizon: number,
        from: number,
        limit: number
      ): Effect.fn.Return<Step, SqlError> {
        const span = yield* next(BigInt(horizon), BigInt(from), BigInt(limit))
        if (span === undefined) {
          const removed = yield* days(horizon, BigInt(limit))
          return { removed, next: removed === limit ? from : undefined }
        }
        const gone = yield* deliveries(span)
        const removed = gone.deliveries + gone.attempts
        // There may be more of the same events.
        if (gone.deliveries === limit) return { removed, next: from }
        return { removed: removed + (yield* events(span)), next: Number(span.to) }
      })
      return DeliveryRetentionRepository.of({
        removeSome: (horizon, from, limit) =>
          removeSome(horizon, from, limit).pipe(sql.withTransaction, unavailableOrDie)
      })
    })
  )
}
