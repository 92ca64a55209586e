import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Index, Segment } from "../../engine/arena/YieldIndex.ts"
import type { JournalRow } from "../../engine/journal/JournalRow.ts"
import * as Rate from "../../engine/money/Rate.ts"
import { STATE_COLUMNS, type StateRow, type StateTable } from "../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { journalBetween } from "./JournalStatements.ts"
import { PROJECTED_REFERENCES } from "./migrations/0046_projected_references.ts"

/** Events, and rows of a table, read at once. */
const EVENTS_PAGE = 500
const ROWS_PAGE = 1_000

/** The end of a stream as the database remembers it. */
export interface RecordedEnd {
  readonly stream: string
  readonly version: number
  /** In hex. */
  readonly hash: string
}

/** Rows of a table that name missing rows of another one, in one of its columns. */
export interface DanglingReference {
  readonly table: string
  readonly column: string
  readonly to: string
  /** How many rows do. */
  readonly rows: number
  /** What the first of them names, as text. */
  readonly named: string
}

/** Reads the whole log of events and the state made from it, a page at a time. */
export class EventLogRepository extends Context.Service<
  EventLogRepository,
  {
    /** Runs everything inside on one moment of the database, even if others write meanwhile. It cannot write. */
    readonly atOneMoment: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
    /** The events after a place in the sequence, and up to another if one is given, a page of them; none at the end. */
    readonly eventsAfter: (seq: number, last?: number) => Effect.Effect<ReadonlyArray<StoredEvent>, SqlError>
    /** The sequence of the last event, to which the tables have everything; 0 before the first. */
    readonly lastEvent: Effect.Effect<number, SqlError>
    /** The sequence to which the tables follow the journal; undefined if they do not say. */
    readonly projected: Effect.Effect<number | undefined, SqlError>
    /** The journal's row that has an entry, or the last one before it; undefined if there is none. */
    readonly journalAt: (seq: number) => Effect.Effect<JournalRow | undefined, SqlError>
    /** The journal's rows that begin behind one sequence and no later than another, a page of them; none at the end. */
    readonly journalBetween: (after: number, last: number) => Effect.Effect<ReadonlyArray<JournalRow>, SqlError>
    /** The ends of the streams after one in the order of their names. */
    readonly endsAfter: (stream: string) => Effect.Effect<ReadonlyArray<RecordedEnd>, SqlError>
    /** The rows of a table after the one with this key. */
    readonly rowsAfter: (table: StateTable, key: string) => Effect.Effect<ReadonlyArray<StateRow>, SqlError>
    /** Rows that follow from events and name a missing row: the first of each column that has some. */
    readonly dangling: Effect.Effect<ReadonlyArray<DanglingReference>, SqlError>
    /** The vault's yields over time. */
    readonly yields: Effect.Effect<ReadonlyArray<Segment>, SqlError>
  }
>()("emporion/database/EventLogRepository") {
  static readonly layer: Layer.Layer<EventLogRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      EventLogRepository.of({
        atOneMoment: atOneMoment(sql),
        eventsAfter: eventsAfter(sql),
        lastEvent: sql<{ last: bigint }>`SELECT coalesce(max(seq), 0) AS last FROM events`.pipe(
          Effect.map(([row]) => Number(row?.last ?? 0n))
        ),
        projected: projected(sql),
        journalAt: journalAt(sql),
        journalBetween: journalBetween(sql),
        endsAfter: (stream) =>
          sql<RecordedEnd>`
            SELECT id AS stream, version, encode(hash, 'hex') AS hash FROM event_streams
            WHERE id > ${stream} ORDER BY id LIMIT ${ROWS_PAGE}`,
        rowsAfter: rowsAfter(sql),
        dangling: dangling(sql),
        yields: sql<{ at: bigint; index: string; apy: bigint }>`
          SELECT at, index::text AS index, apy FROM arena_vault_yields ORDER BY at`.pipe(
          Effect.map((rows) =>
            rows.map(({ at, index, apy }) => ({
              at: Number(at),
              index: BigInt(index) as Index,
              apy: Rate.fromUnits(apy)
            }))
          )
        )
      })
    )
  )
}

/** Runs everything inside on one moment of the database, even if others write meanwhile. It cannot write. */
export const atOneMoment =
  (sql: SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    sql.withTransaction(
      Effect.andThen(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.unprepared, effect)
    )

/** A page of the events after a place in the sequence; none at the end. */
export const eventsAfter =
  (sql: SqlClient) =>
  (seq: number, last: number = Number.MAX_SAFE_INTEGER) =>
    sql<Omit<StoredEvent, "seq"> & { readonly seq: bigint }>`
    SELECT seq, stream, version, type, data, encode(hash, 'hex') AS hash FROM events
    WHERE seq > ${BigInt(seq)} AND seq <= ${BigInt(last)} ORDER BY seq LIMIT ${EVENTS_PAGE}`.pipe(
      Effect.map((rows) => rows.map((row): StoredEvent => ({ ...row, seq: Number(row.seq) })))
    )

/** A database from before the tables followed the journal does not say. */
const projected = (sql: SqlClient) =>
  Effect.gen(function* () {
    const [known] = yield* sql<{ readonly there: boolean }>`SELECT to_regclass('projection') IS NOT NULL AS there`
    if (known?.there !== true) return undefined
    const [position] = yield* sql<{ readonly seq: bigint }>`SELECT seq FROM projection`
    return position === undefined ? undefined : Number(position.seq)
  })

const journalAt = (sql: SqlClient) =>
  Effect.fnUntraced(function* (seq: number) {
    const [place] = yield* sql<{ readonly first_seq: bigint }>`
      SELECT first_seq FROM journal WHERE first_seq <= ${BigInt(seq)} ORDER BY first_seq DESC LIMIT 1`
    if (place === undefined) return undefined
    const [row] = yield* journalBetween(sql)(Number(place.first_seq) - 1, Number(place.first_seq))
    return row
  })

/** Every event from the first one in the archive to the last is there: a walk over the log finds that. */
const NOT_ARCHIVED = `NOT BETWEEN coalesce((SELECT min(first_seq) FROM journal_archives), 1)
                AND coalesce((SELECT max(last_seq) FROM journal_archives), 0)`

/** A database from before a table or column was made has none of its rows. */
const dangling = (sql: SqlClient) =>
  Effect.gen(function* () {
    const columns = yield* sql<{ readonly name: string }>`
      SELECT relation.relname || '.' || attribute.attname AS name
      FROM pg_attribute AS attribute JOIN pg_class AS relation ON relation.oid = attribute.attrelid
      WHERE relation.relnamespace = 'public'::regnamespace AND relation.relkind = 'r'
        AND attribute.attnum > 0 AND NOT attribute.attisdropped`
    const known = new Set(columns.map(({ name }) => name))
    const isArchived = known.has("journal_archives.first_seq")
    const looks = PROJECTED_REFERENCES.flatMap(({ references, table }) =>
      references
        .filter((to) => known.has(`${table}.${to.column}`) && known.has(`${to.table}.${to.key}`))
        .map(
          ({ column, key, table: to }) => `
            SELECT '${table}' AS table, '${column}' AS column, '${to}' AS to,
              count(*) AS rows, min(one.${column}::text) AS named
            FROM ${table} AS one
            WHERE one.${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${to} AS other WHERE other.${key} = one.${column})
              ${isArchived && to === "events" ? `AND one.${column} ${NOT_ARCHIVED}` : ""}
            HAVING count(*) > 0`
        )
    )
    if (looks.length === 0) return []
    const rows = yield* sql.unsafe<Omit<DanglingReference, "rows"> & { readonly rows: bigint }>(
      looks.join(" UNION ALL ")
    )
    return rows.map((row): DanglingReference => ({ ...row, rows: Number(row.rows) }))
  })

const rowsAfter = (sql: SqlClient) => (table: StateTable, key: string) => {
  const columns = STATE_COLUMNS[table]
  const [id] = columns
  const texts = columns.map((column) => `${column}::text AS ${column}`).join(", ")
  const statement = `SELECT ${texts} FROM ${table} WHERE ${id}::text > $1 ORDER BY ${id}::text LIMIT ${ROWS_PAGE}`
  return sql
    .unsafe<Readonly<Record<string, string | null>>>(statement, [key])
    .pipe(
      Effect.map((rows) =>
        rows.map((row): StateRow => ({ table, values: columns.map((column) => row[column] ?? null) }))
      )
    )
}
