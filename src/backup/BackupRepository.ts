import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { JournalEnd } from "../../engine/journal/JournalRow.ts"
import { atOneMoment } from "../database/EventLogRepository.ts"
import { journalEnd } from "../database/JournalStatements.ts"
import { NO_ROWS, type Print } from "./TablePart.ts"

/** The key of the advisory lock of a backup: "backup" in ASCII. */
const LOCK = 0x6261_636b_7570

/** Rows that are fetched at once. */
const PAGE = 250

/** Where a database stands. */
export interface DatabasePosition {
  readonly end: JournalEnd
  /** The last event that the tables have. */
  readonly projected: number
  readonly term: bigint
  /** The last migration. */
  readonly schema: number
  /** When that ran, as text: another time once it was undone and ran again, which may change what is in rows and not the rows. */
  readonly migrated: string
  /** The last entry that is in the journal's archive, and may be in its table no more; 0 where none is. */
  readonly archived: number
  /**
   * The session of PostgreSQL that told it, which ends where the server crashes, restarts, or gives way to another one. It is
   * named by when it began, for the numbers of processes are given again, and a crash does not begin PostgreSQL's own time anew.
   */
  readonly session: string
}

/** A table, and its columns as they are to be written again. */
export interface TableColumns {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** The columns of its key, or all of them, in the order in which rows are read. */
  readonly order: ReadonlyArray<string>
  /** PostgreSQL's names of the types of {@link order}. */
  readonly types: ReadonlyArray<string>
}

/** A row as it is read. */
export interface ReadRow {
  /** A JSON array of texts and nulls. */
  readonly line: string
  /** What PostgreSQL makes of where it is and which transaction wrote it: another number once it is changed. */
  readonly version: bigint
}

/** A table that is looked at, and the keys at which it is parted for that, in their order. */
export interface PartedTable extends TableColumns {
  readonly starts: ReadonlyArray<string>
}

/** Of which rows what is read beside their own columns. */
export interface Reading {
  /** Only the rows of the journal behind this sequence. */
  readonly behind?: number | undefined
  /** Only those from this key on, where the key is one column. */
  readonly from?: string | undefined
  /** Only those before this key. */
  readonly to?: string | undefined
  /** An SQL expression over the columns, whose text comes last in each line. */
  readonly subject?: string | undefined
}

/** Reads all tables of a database as of one moment. */
export class BackupRepository extends Context.Service<
  BackupRepository,
  {
    /** Runs everything inside on one moment of the database, even if others write meanwhile. It cannot write. */
    readonly atOneMoment: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
    /** Whether no other backup of the database runs until the end of the transaction. */
    readonly isAlone: Effect.Effect<boolean, SqlError>
    readonly position: Effect.Effect<DatabasePosition, SqlError>
    /** The hash of the row of the journal's table that ends with a sequence, in hex; undefined if there is none. */
    readonly hashAt: (seq: number) => Effect.Effect<string | undefined, SqlError>
    readonly tables: Effect.Effect<ReadonlyArray<TableColumns>, SqlError>
    /**
     * What changes with any row of these tables that comes, changes or goes, by their names: of the rows before the first start,
     * and from each of them on. PostgreSQL makes it of where a row is and which transaction wrote it, without reading what is in
     * it. Of use within one {@link DatabasePosition.session}.
     */
    readonly prints: (
      tables: ReadonlyArray<PartedTable>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<Print>>, SqlError>
    /** The users and companies that were forgotten. */
    readonly erased: Effect.Effect<ReadonlySet<string>, SqlError>
    /**
     * Takes each row of a table.
     *
     * @param reading - which rows, and what of them
     */
    readonly each: <E, R>(
      table: TableColumns,
      take: (rows: ReadonlyArray<ReadRow>) => Effect.Effect<void, E, R>,
      reading?: Reading
    ) => Effect.Effect<void, SqlError | E, R>
  }
>()("emporion/backup/BackupRepository") {
  static readonly layer: Layer.Layer<BackupRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      BackupRepository.of({
        atOneMoment: atOneMoment(sql),
        isAlone: sql<{ readonly taken: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}::bigint) AS taken`.pipe(
          Effect.map(([row]) => row?.taken === true)
        ),
        position: position(sql),
        hashAt: (seq) =>
          sql<{ readonly hash: string }>`
            SELECT encode(hash, 'hex') AS hash FROM (
              SELECT hash, first_seq + count - 1 AS last FROM journal
              WHERE first_seq <= ${BigInt(seq)} ORDER BY first_seq DESC LIMIT 1) AS row
            WHERE last = ${BigInt(seq)}`.pipe(Effect.map(([row]) => row?.hash)),
        tables: sql<TableColumns>`
          SELECT relation.relname AS name, columns.names AS columns, coalesce(keys.names, columns.names) AS order,
            coalesce(keys.types, columns.types) AS types
          FROM pg_class AS relation
          CROSS JOIN LATERAL (
            SELECT array_agg(attname::text ORDER BY attnum) AS names,
              array_agg(format_type(atttypid, NULL) ORDER BY attnum) AS types FROM pg_attribute
            WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
          LEFT JOIN LATERAL (
            SELECT array_agg(attribute.attname::text ORDER BY place.at) AS names,
              array_agg(format_type(attribute.atttypid, NULL) ORDER BY place.at) AS types
            FROM pg_index AS key
            CROSS JOIN LATERAL unnest(key.indkey::int2[]) WITH ORDINALITY AS place (attnum, at)
            JOIN pg_attribute AS attribute
              ON attribute.attrelid = key.indrelid AND attribute.attnum = place.attnum
            WHERE key.indrelid = relation.oid AND key.indisprimary) AS keys ON true
          WHERE relation.relnamespace = 'public'::regnamespace AND relation.relkind = 'r' AND relation.relpersistence = 'p'
          ORDER BY relation.relname`,
        prints: prints(sql),
        erased: Effect.map(
          sql<{ readonly id: string }>`SELECT id FROM erasures`,
          (rows) => new Set(rows.map(({ id }) => id))
        ),
        each: each(sql)
      })
    )
  )
}

const position = (sql: SqlClient) =>
  Effect.gen(function* () {
    const end = yield* journalEnd(sql)
    const [row] = yield* sql<{
      readonly projected: bigint
      readonly term: bigint
      readonly schema: number
      readonly migrated: string
      readonly archived: bigint
      readonly session: string
    }>`
      SELECT (SELECT seq FROM projection) AS projected, (SELECT term FROM writer_term) AS term,
        (SELECT max(id) FROM schema_migrations) AS schema,
        (SELECT max(applied_at)::text FROM schema_migrations) AS migrated,
        (SELECT coalesce(max(last_seq), 0) FROM journal_archives) AS archived,
        (SELECT pid || ' since ' || backend_start FROM pg_stat_get_activity(pg_backend_pid())) AS session`
    return {
      end,
      projected: Number(row?.projected ?? 0n),
      term: row?.term ?? 0n,
      schema: row?.schema ?? 0,
      migrated: row?.migrated ?? "",
      archived: Number(row?.archived ?? 0n),
      session: row?.session ?? ""
    } satisfies DatabasePosition
  })

const quoted = (name: string): string => `"${name}"`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * The expression that makes one number of a row's place and of the transaction that wrote it. The transaction's hash is the
 * seed of the place's. That of a record of both adds the two up, so that two rows that change together in their places leave
 * their print as it was once in 75 million times.
 *
 * @param place - of type `tid`
 * @param transaction - of type `xid`
 */
export const versionOf = (place: string, transaction: string): string =>
  `hashtidextended(${place}, hash_record_extended(ROW(${transaction}), 0))`

/**
 * A version of a row is in one place and by one transaction. Who changes a row writes another version, elsewhere or, once
 * nobody sees the one before, by a later transaction. A crash may take back transactions, and their numbers are given again.
 */
const VERSION = versionOf("ctid", "xmin")

/** The statement that looks at a table: rows of the table's name, the number of a part, and its print. */
const look = ({ name, order, starts, types }: PartedTable): string => {
  const keys = starts.map(literal).join(", ")
  const part = starts.length === 0 ? "0" : `width_bucket(${quoted(order[0] ?? "")}, ARRAY[${keys}]::${types[0]}[])`
  return `SELECT ${literal(name)} AS name, ${part} AS part, count(*)::int AS rows, bit_xor(${VERSION}) AS versions
    FROM ${quoted(name)} GROUP BY 2`
}

interface Looked {
  readonly name: string
  readonly part: number
  readonly rows: number
  readonly versions: bigint
}

/** Short tables are looked at by one statement, which the connection knows from the increment before. */
const prints = (sql: SqlClient) =>
  Effect.fnUntraced(function* (tables: ReadonlyArray<PartedTable>) {
    const whole = tables.filter(({ starts }) => starts.length === 0).map(look)
    const found: Array<Looked> = []
    if (whole.length > 0) found.push(...(yield* sql.unsafe<Looked>(whole.join(" UNION ALL "))))
    for (const table of tables) {
      if (table.starts.length > 0) found.push(...(yield* sql.unsafe<Looked>(look(table)).unprepared))
    }
    const all = new Map(tables.map(({ name, starts }) => [name, [NO_ROWS, ...starts.map(() => NO_ROWS)]]))
    for (const { name, part, ...print } of found) all.get(name)?.splice(part, 1, print)
    return all
  })

const conditionOf = ({ order }: TableColumns, { behind, from, to }: Reading): string => {
  const key = quoted(order[0] ?? "")
  const conditions = [
    ...(behind === undefined ? [] : [`first_seq > ${BigInt(behind)}`]),
    ...(from === undefined ? [] : [`${key} >= ${literal(from)}`]),
    ...(to === undefined ? [] : [`${key} < ${literal(to)}`])
  ]
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
}

/**
 * Most tables have few rows and come by one statement, which the connection knows from the increment before. Of others, and of
 * parts, the transaction's cursor reads a page at a time, so that no table is ever in memory.
 */
const each =
  (sql: SqlClient): BackupRepository["Service"]["each"] =>
  (table, take, reading = {}) => {
    const { subject } = reading
    const expressions = [...table.columns.map(quoted), ...(subject === undefined ? [] : [`(${subject})`])]
    const texts = expressions.map((expression) => `${expression}::text`).join(", ")
    const where = conditionOf(table, reading)
    const select = `SELECT array_to_json(ARRAY[${texts}])::text AS line, ${VERSION} AS version
      FROM ${quoted(table.name)} ${where} ORDER BY ${table.order.map(quoted).join(", ")}`
    const few = sql.unsafe<ReadRow>(`${select} LIMIT ${PAGE}`)
    const page = sql.unsafe<ReadRow>(`FETCH ${PAGE} FROM copied`).unprepared
    return Effect.gen(function* () {
      if (where === "") {
        const rows = yield* few
        if (rows.length > 0 && rows.length < PAGE) yield* take(rows)
        if (rows.length < PAGE) return
      }
      yield* sql.unsafe(`DECLARE copied NO SCROLL CURSOR FOR ${select}`).unprepared
      for (;;) {
        const rows = yield* page
        if (rows.length > 0) yield* take(rows)
        if (rows.length < PAGE) break
      }
      yield* sql.unsafe("CLOSE copied").unprepared
    })
  }
