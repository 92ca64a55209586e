import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { machineTime } from "../../engine/journal/TimeLead.ts"

/** What an operator may want to know of a database. */
export interface DatabaseFacts {
  /** PostgreSQL's own, such as `18.4`. */
  readonly version: string
  /** Settings that are off, so that a crash loses what was acknowledged. */
  readonly notDurable: ReadonlyArray<string>
  /** Whether the user may make tables, which migrations do. */
  readonly mayCreate: boolean
  /** The database's time, and this machine's just before and after, in milliseconds since 1970. */
  readonly clock: { readonly before: number; readonly database: number; readonly after: number }
  /** Since when a server works on it. */
  readonly workedOnSince: Date | undefined
}

const DURABLE: ReadonlyArray<string> = ["fsync", "synchronous_commit", "full_page_writes"]

interface Row {
  readonly version: string
  readonly off: ReadonlyArray<string>
  readonly creates: boolean
  readonly at: number
  readonly since: Date | null
}

/** Asks the database about itself. */
export const databaseFacts: Effect.Effect<DatabaseFacts, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const ask = sql<Row>`
    SELECT current_setting('server_version') AS version,
      ARRAY(SELECT name FROM pg_settings WHERE name = ANY(${DURABLE}::text[]) AND setting = 'off' ORDER BY name) AS off,
      has_schema_privilege(current_schema(), 'CREATE') IS TRUE AS creates,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
      (SELECT min(backend_start) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'emporion lock') AS since`
  yield* ask
  const before = yield* machineTime
  const [row] = yield* ask
  const after = yield* machineTime
  return {
    version: row?.version ?? "",
    notDurable: row?.off ?? [],
    mayCreate: row?.creates === true,
    clock: { before, database: row?.at ?? Number.NaN, after },
    workedOnSince: row?.since ?? undefined
  }
}).pipe(Effect.withSpan("DatabaseFacts.read"))
