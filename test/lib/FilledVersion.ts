import { Effect, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync, writeFileSync } from "node:fs"
import { gunzipSync, gzipSync } from "node:zlib"
import { replayLog } from "../../src/cli/Replaying.ts"
import { layerOf } from "../../src/database/Database.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { registry } from "../../src/database/migrations/Registry.ts"
import { makeFixtureOn, tokenOf } from "./OperationFixture.ts"
import { sendOperation } from "./OperationRequest.ts"
import { OPERATION_ROWS, requestOf } from "./OperationRows.ts"
import { OPERATIONS } from "./Operations.ts"
import { playedLog, type PlayedLog } from "./PlayedLog.ts"
import { emptyDatabase, type TestDatabase } from "./TestDatabase.ts"

/** Rows of a table in one line of the file. */
const ROWS_A_LINE = 200

/** What a version says itself of the database that it filled. */
export interface FilledVersion {
  /** Its last migration. */
  readonly schema: number
  readonly events: number
  /** The log's running hash, and the hash of the state that its events make, in hex. */
  readonly sum: string
  readonly state: string
  /** Milliseconds since 1970 when it was filled. */
  readonly now: number
}

interface TableRows {
  readonly table: string
  readonly rows: ReadonlyArray<object>
}

/** Everything that a caller can ask for, once, after slots of the arena. */
const play = Effect.gen(function* () {
  const log = yield* playedLog
  const fixture = yield* makeFixtureOn(log.server)
  for (const [index, operation] of OPERATIONS.entries()) {
    const row = OPERATION_ROWS[operation.name]
    if (row?.ends === true) continue
    const as = row?.as === "admin" ? fixture.admin : fixture.mine.userId
    yield* sendOperation(fixture, operation, yield* requestOf(row, fixture, index), yield* tokenOf(fixture, as))
  }
  yield* log.server.tick(200_000)
  yield* log.sql("SELECT 1")
  return log
})

const tablesOf = (log: PlayedLog) =>
  log.sql<{ readonly name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY 1"
  )

const rowsOf = Effect.fnUntraced(function* (log: PlayedLog, table: string) {
  const rows = yield* log.sql<{ readonly row: string }>(`SELECT row_to_json(t)::text AS row FROM "${table}" AS t`)
  const lines: Array<string> = []
  for (let from = 0; from < rows.length; from += ROWS_A_LINE) {
    const some = rows.slice(from, from + ROWS_A_LINE).map(({ row }) => row)
    lines.push(`{"table":${JSON.stringify(table)},"rows":[${some.join(",")}]}`)
  }
  return lines
})

/** Fills a database by this version and writes it to a file: what it says of it, then rows by table, compressed. */
export const keepVersion = (file: (schema: number) => string): Effect.Effect<FilledVersion, never, Scope.Scope> =>
  Effect.gen(function* () {
    const log = yield* play
    const { events, ok, state, sum } = yield* Effect.orDie(replayLog(log.source))
    if (!ok || state.derived === undefined) return yield* Effect.die(new Error("its own replay finds something"))
    const schema = registry.at(-1)?.id ?? 0
    const version = { schema, events, sum, state: state.derived, now: log.server.world.now }
    const tables = yield* tablesOf(log)
    const rows = yield* Effect.forEach(tables, ({ name }) => rowsOf(log, name))
    const text = `${[JSON.stringify(version), ...rows.flat()].join("\n")}\n`
    writeFileSync(file(schema), gzipSync(text, { level: 9 }))
    return version
  })

const insertable = (sql: SqlClient, table: string) =>
  sql<{ readonly column: string }>`
    SELECT attname AS column FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ORDER BY attnum`

const insert = Effect.fnUntraced(function* (sql: SqlClient, { rows, table }: TableRows) {
  const columns = (yield* insertable(sql, table)).map(({ column }) => `"${column}"`).join(", ")
  const from = `json_populate_recordset(NULL::"${table}", $1::json)`
  yield* sql.unsafe(`INSERT INTO "${table}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${from}`, [
    JSON.stringify(rows)
  ])
})

/** Columns that the database numbers. */
const numbered = (sql: SqlClient) =>
  sql<{ readonly table: string; readonly column: string }>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND is_identity = 'YES'`

/** A database as a kept version left it, before any later migration. */
export const loadVersion = (
  file: string
): Effect.Effect<{ readonly version: FilledVersion; readonly database: TestDatabase }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const [first = "", ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n")
    const version = JSON.parse(first) as FilledVersion
    const database = yield* emptyDatabase
    const filling = Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(registry.filter(({ id }) => id <= version.schema))
      const fill = Effect.gen(function* () {
        yield* sql`SET LOCAL session_replication_role = replica`
        const tables = yield* sql<{ readonly name: string }>`
          SELECT quote_ident(tablename) AS name FROM pg_tables
          WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`
        yield* sql.unsafe(`TRUNCATE ${tables.map(({ name }) => name).join(", ")}`)
        for (const line of lines) yield* insert(sql, JSON.parse(line) as TableRows)
        for (const { column, table } of yield* numbered(sql)) {
          yield* sql.unsafe(
            `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max("${column}")) FROM "${table}"`
          )
        }
      })
      yield* sql.withTransaction(fill)
    })
    yield* Effect.provide(filling, layerOf(database.config))
    return { version, database }
  }).pipe(Effect.orDie)
