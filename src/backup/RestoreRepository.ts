import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { texts } from "../database/ArrayParameter.ts"
import { isUnfinished, UNFINISHED_RESTORE } from "../database/UnfinishedRestore.ts"
import { JOURNAL } from "./BackupCoverage.ts"

/** A foreign key, as it can be made again. */
export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Where a restored database stands before the tables follow the rest of its journal. */
export interface RestoredPosition {
  readonly projected: number
  readonly term: bigint
}

/** Writes the rows of backups into a database of its own, which says that it is unfinished meanwhile. */
export class RestoreRepository extends Context.Service<
  RestoreRepository,
  {
    /** What is there: nothing, a restore that did not end, or something else. */
    readonly found: Effect.Effect<"nothing" | "unfinished" | "other", SqlError>
    /** Removes what a restore left behind, if one did, and begins one. */
    readonly begin: Effect.Effect<void, SqlError>
    /** Empties tables, and takes away what would refuse rows one by one. Returns what {@link complete} makes again. */
    readonly prepare: (tables: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ForeignKey>, SqlError>
    /** The columns of a table with their types. */
    readonly typesOf: (table: string) => Effect.Effect<ReadonlyMap<string, string>, SqlError>
    /** Adds rows, each a JSON array of texts and nulls in the order of the columns. */
    readonly add: (
      table: string,
      columns: ReadonlyMap<string, string>,
      lines: ReadonlyArray<string>
    ) => Effect.Effect<void, SqlError>
    /** Removes companies, which events of the journal make again. */
    readonly removeCompanies: (ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
    /** Sets a sandbox's clock so far ahead of the machine's, in milliseconds, unless it is further. */
    readonly lead: (millis: number) => Effect.Effect<void, SqlError>
    /** Lets identities go on behind the highest, and says where the tables are and who wrote last. */
    readonly place: (position: RestoredPosition) => Effect.Effect<void, SqlError>
    /** The last event that the tables have. */
    readonly projected: Effect.Effect<number, SqlError>
    /** Makes the foreign keys again, over all rows. */
    readonly complete: (keys: ReadonlyArray<ForeignKey>) => Effect.Effect<void, SqlError>
    /** Ends the restore: from now on a server may start. */
    readonly finish: Effect.Effect<void, SqlError>
  }
>()("emporion/backup/RestoreRepository") {
  static readonly layer: Layer.Layer<RestoreRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      RestoreRepository.of({
        found: found(sql),
        begin: Effect.withSpan(begin(sql), "RestoreRepository.begin"),
        prepare: prepare(sql),
        typesOf: typesOf(sql),
        add: add(sql),
        removeCompanies: (ids) => Effect.asVoid(sql`DELETE FROM companies WHERE id = ANY(${texts(ids)}::text[])`),
        lead: (millis) =>
          Effect.asVoid(sql`UPDATE sandbox_clock SET lead = ${BigInt(millis)} WHERE lead < ${BigInt(millis)}`),
        place: place(sql),
        projected: Effect.map(sql<{ readonly seq: bigint }>`SELECT seq FROM projection`, ([row]) =>
          Number(row?.seq ?? 0n)
        ),
        complete: (keys) =>
          run(
            sql,
            keys.map(({ definition, name, table }) => `ALTER TABLE "${table}" ADD CONSTRAINT "${name}" ${definition}`)
          ).pipe(Effect.withSpan("RestoreRepository.complete")),
        finish: sql
          .unsafe(`DROP TABLE ${UNFINISHED_RESTORE}`)
          .unprepared.pipe(Effect.asVoid, Effect.withSpan("RestoreRepository.finish"))
      })
    )
  )
}

const run = (sql: SqlClient, statements: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true })

const statementsOf = (sql: SqlClient, query: string) =>
  Effect.map(sql.unsafe<{ readonly statement: string }>(query).unprepared, (rows) =>
    rows.map(({ statement }) => statement)
  )

const found = (sql: SqlClient) =>
  Effect.gen(function* () {
    if (yield* isUnfinished(sql)) return "unfinished"
    const [row] = yield* sql<{ readonly some: boolean }>`
      SELECT EXISTS (
        SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS some`
    return row?.some === true ? "other" : "nothing"
  })

/** Everything in the schema, but for extensions and what they brought. */
const LEFT_BEHIND = `
  SELECT format('DROP %s IF EXISTS public.%I CASCADE', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, relname) AS statement
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND relname <> '${UNFINISHED_RESTORE}'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  UNION ALL
  SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', oid::regprocedure)
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`

const begin = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql.unsafe(`CREATE TABLE IF NOT EXISTS ${UNFINISHED_RESTORE} (begun_at timestamptz NOT NULL DEFAULT now())`)
      .unprepared
    yield* run(sql, yield* statementsOf(sql, LEFT_BEHIND))
  })

const prepare = (sql: SqlClient) =>
  Effect.fnUntraced(function* (tables: ReadonlyArray<string>) {
    const keys = yield* sql<ForeignKey>`
      SELECT conrelid::regclass::text AS table, conname::text AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname`
    yield* run(
      sql,
      keys.map(({ name, table }) => `ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`)
    )
    const all = [...tables, JOURNAL].map((table) => `"${table}"`)
    yield* run(
      sql,
      all.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`)
    )
    yield* run(sql, [`TRUNCATE ${all.join(", ")}`])
    return keys
  })

const typesOf = (sql: SqlClient) => (table: string) =>
  sql<{ readonly column: string; readonly type: string }>`
    SELECT attname::text AS column, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = to_regclass(${`public."${table}"`}) AND attnum > 0 AND NOT attisdropped`.pipe(
    Effect.map((rows): ReadonlyMap<string, string> => new Map(rows.map(({ column, type }) => [column, type])))
  )

const add =
  (sql: SqlClient): RestoreRepository["Service"]["add"] =>
  (table, columns, lines) => {
    const names = [...columns.keys()].map((column) => `"${column}"`).join(", ")
    const values = [...columns.values()].map((type, at) => `(given.line ->> ${at})::${type}`).join(", ")
    return Effect.asVoid(
      sql.unsafe(
        `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${values} FROM (SELECT unnest($1::text[])::jsonb AS line) AS given`,
        [texts(lines)]
      )
    )
  }

/** An identity that goes on behind the highest value, and each table's own triggers again. */
const COMPLETED = `
  SELECT format('SELECT setval(%L, coalesce((SELECT max(%I) FROM public.%I), 0) + 1, false)',
    pg_get_serial_sequence(format('public.%I', relname), attname), attname, relname) AS statement
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attidentity <> '' AND NOT attisdropped
  UNION ALL
  SELECT format('ALTER TABLE public.%I ENABLE TRIGGER USER', relname)
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`

const place = (sql: SqlClient) =>
  Effect.fnUntraced(function* ({ projected, term }: RestoredPosition) {
    yield* run(sql, yield* statementsOf(sql, COMPLETED))
    yield* sql`UPDATE writer_term SET term = ${term}`
    yield* sql`UPDATE projection SET seq = ${BigInt(projected)}, term = ${term}`
    // The tables may be of an earlier moment than the list of the archive's files.
    yield* sql`UPDATE journal_archives SET cleared = false`
  })
