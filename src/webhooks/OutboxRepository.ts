import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import type { WebhookEventType } from "../../engine/webhooks/WebhookEventType.ts"
import type { NewDelivery } from "../../engine/webhooks/NewDeliveries.ts"
import { bigints, texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** An event as it is told. */
export interface ToldEvent {
  readonly id: string
  /** The recorded event's place in the journal. */
  readonly seq: number
  readonly type: WebhookEventType
  readonly companyId: string
  readonly createdAt: number
  /** Byte for byte as it is signed and sent. */
  readonly body: string
}

/** What one transaction writes. */
export interface FanOutWrite {
  readonly events: ReadonlyArray<ToldEvent>
  readonly deliveries: ReadonlyArray<NewDelivery>
  readonly at: number
  /** Days since 1970 in UTC. */
  readonly day: number
}

/** Events that one reading looks through. */
const WINDOW = 10_000

interface EventRow extends Omit<StoredEvent, "seq"> {
  readonly seq: bigint
}

const stored = (rows: ReadonlyArray<EventRow>): ReadonlyArray<StoredEvent> =>
  rows.map((row) => ({ ...row, seq: Number(row.seq) }))

const reads = (sql: SqlClient) => {
  const columns = sql.literal("e.seq, e.stream, e.version, e.type, e.data, encode(e.hash, 'hex') AS hash")
  return {
    position: sql<{ seq: bigint }>`SELECT seq FROM webhook_cursor`.pipe(
      Effect.map(([row]) => Number(row?.seq ?? 0n)),
      unavailableOrDie
    ),
    webhooksUntil: (position: number) =>
      sql<EventRow>`
        SELECT ${columns} FROM webhooks AS w JOIN events AS e ON e.stream = 'webhook/' || w.id
        WHERE e.seq <= ${BigInt(position)} ORDER BY e.seq`.pipe(Effect.map(stored), unavailableOrDie),
    after: Effect.fnUntraced(function* (position: number, head: number, types: ReadonlyArray<string>, limit: number) {
      const until = Math.min(head, position + WINDOW)
      const rows = yield* sql<EventRow>`
        SELECT ${columns} FROM events AS e
        WHERE e.seq > ${BigInt(position)} AND e.seq <= ${BigInt(until)} AND e.type = ANY (${texts(types)}::text[])
        ORDER BY e.seq LIMIT ${BigInt(limit)}`
      const events = stored(rows)
      return { events, to: events.length < limit ? until : (events.at(-1)?.seq ?? until) }
    }, unavailableOrDie),
    streams: (ids: ReadonlyArray<string>, until: number) =>
      sql<EventRow>`
        SELECT ${columns} FROM events AS e
        WHERE e.stream = ANY (${texts(ids)}::text[]) AND e.seq <= ${BigInt(until)}
        ORDER BY e.stream, e.version`.pipe(Effect.map(stored), unavailableOrDie)
  }
}

const writes = (sql: SqlClient) => ({
  advance: (from: number, to: number) =>
    sql`UPDATE webhook_cursor SET seq = ${BigInt(to)} WHERE seq = ${BigInt(from)} RETURNING seq`.pipe(
      Effect.map((rows) => rows.length === 1),
      unavailableOrDie
    ),
  events: (events: ReadonlyArray<ToldEvent>) => sql`
    INSERT INTO webhook_events (id, seq, type, company_id, created_at, body)
    SELECT * FROM unnest(
      ${texts(events.map(({ id }) => id))}::text[],
      ${bigints(events.map(({ seq }) => BigInt(seq)))}::bigint[],
      ${texts(events.map(({ type }) => type))}::text[],
      ${texts(events.map(({ companyId }) => companyId))}::text[],
      ${bigints(events.map(({ createdAt }) => BigInt(createdAt)))}::bigint[],
      ${texts(events.map(({ body }) => body))}::text[])`,
  deliveries: ({ at, deliveries }: FanOutWrite) => sql`
    INSERT INTO webhook_deliveries
      (id, webhook_id, company_id, event_id, event_seq, status, attempts, round, due_at, created_at, updated_at)
    SELECT id, webhook_id, company_id, event_id, seq, status, 0, 1,
      CASE status WHEN 'pending' THEN ${BigInt(at)}::bigint END, ${BigInt(at)}, ${BigInt(at)}
    FROM unnest(
      ${texts(deliveries.map(({ id }) => id))}::text[],
      ${texts(deliveries.map(({ webhookId }) => webhookId))}::text[],
      ${texts(deliveries.map(({ companyId }) => companyId))}::text[],
      ${texts(deliveries.map(({ eventId }) => eventId))}::text[],
      ${bigints(deliveries.map(({ seq }) => BigInt(seq)))}::bigint[],
      ${texts(deliveries.map(({ status }) => status))}::text[]
    ) AS made (id, webhook_id, company_id, event_id, seq, status)`,
  begun: (companyIds: ReadonlyArray<string>, day: number) => sql`
    INSERT INTO webhook_days (company_id, day, deliveries)
    SELECT company_id, date '1970-01-01' + ${day}::integer, count(*)
    FROM unnest(${texts(companyIds)}::text[]) AS one (company_id) GROUP BY company_id
    ON CONFLICT (company_id, day) DO UPDATE SET deliveries = webhook_days.deliveries + excluded.deliveries`
})

const tell = (sql: SqlClient) => {
  const { begun, deliveries, events } = writes(sql)
  return Effect.fnUntraced(function* (fanOut: FanOutWrite) {
    if (fanOut.events.length > 0) yield* events(fanOut.events)
    if (fanOut.deliveries.length > 0) yield* deliveries(fanOut)
    const beginning = fanOut.deliveries.filter(({ status }) => status === "pending")
    if (beginning.length > 0) {
      yield* begun(
        beginning.map(({ companyId }) => companyId),
        fanOut.day
      )
    }
  }, unavailableOrDie)
}

/** The position up to which the journal was told, and the journal's events. */
export class OutboxRepository extends Context.Service<
  OutboxRepository,
  {
    /** The last event whose messages were all written. */
    readonly position: Effect.Effect<number, Unavailable>
    /** What happened to webhooks until a place. */
    readonly webhooksUntil: (position: number) => Effect.Effect<ReadonlyArray<StoredEvent>, Unavailable>
    /** The next events of some types, up to a place that the events certainly reach. */
    readonly after: (
      position: number,
      head: number,
      types: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<{ readonly events: ReadonlyArray<StoredEvent>; readonly to: number }, Unavailable>
    /** The events of streams until a place, those of a stream together, oldest first. */
    readonly streams: (
      ids: ReadonlyArray<string>,
      until: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>, Unavailable>
    /** Moves the position on; false if the stored position is another one. */
    readonly advance: (from: number, to: number) => Effect.Effect<boolean, Unavailable>
    /** Writes what is told and to whom, and counts what begins. */
    readonly tell: (fanOut: FanOutWrite) => Effect.Effect<void, Unavailable>
    /** Keeps others that count deliveries waiting until the end of the transaction. */
    readonly turn: Effect.Effect<void, Unavailable>
    readonly transaction: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | Unavailable>
  }
>()("emporion/webhooks/OutboxRepository") {
  static readonly layer: Layer.Layer<OutboxRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      OutboxRepository.of({
        ...reads(sql),
        advance: writes(sql).advance,
        tell: tell(sql),
        turn: sql`SELECT seq FROM webhook_cursor FOR UPDATE`.pipe(Effect.asVoid, unavailableOrDie),
        transaction: (effect) => unavailableOrDie(sql.withTransaction(effect))
      })
    )
  )
}
