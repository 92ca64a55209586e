import type { PgClient } from "@effect/sql-pg"
import { Data, Effect, Layer, Predicate, type Redacted, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { type DatabaseStartError, embeddedPool, layerOf, urlPool } from "./Database.ts"
import { sqlState } from "./DatabaseError.ts"
import { type EmbeddedConnection, startEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import type { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import type { PostgresBinariesMissing } from "./PostgresBinaries.ts"
import { DATABASE, placeIn, USER } from "./PostgresCluster.ts"
import { signal } from "./PostgresProcess.ts"
import { socketFile, socketFolder } from "./PostgresSocket.ts"
import { readPostmaster } from "./Postmaster.ts"

/** The data folder holds no database. Its message is one sentence that says what to do. */
export class NoDatabaseThere extends Data.TaggedError("NoDatabaseThere")<{ readonly message: string }> {}

export type ReadingFailed = DatabaseStartError | NoDatabaseThere

/** Milliseconds that one statement of a reader may take. A second later the reader gives up. */
const READING_LIMIT = 600_000
const READING_WAIT = READING_LIMIT + 1_000

/** Reading takes few connections, and may take its time over each page. */
const reading = (config: PgClient.PgPoolConfig): PgClient.PgPoolConfig => ({
  ...config,
  applicationName: "emporion reader",
  minConnections: 1,
  maxConnections: 2,
  multiplex: false,
  startupParameters: {
    ...config.startupParameters,
    default_transaction_read_only: "on",
    statement_timeout: String(READING_LIMIT),
    idle_in_transaction_session_timeout: String(READING_LIMIT)
  }
})

type Reader = Layer.Layer<PgClient.PgClient | SqlClient, ReadingFailed>

/** A PostgreSQL elsewhere, only for reading. */
export const atUrl = (url: Redacted.Redacted): Reader => layerOf(reading(urlPool(url)), READING_WAIT)

/**
 * The embedded PostgreSQL of a data folder, only for reading: the one that runs there, if a server works on it, else
 * one that is started for the reading.
 */
export const inDataDir = (folder: string): Reader =>
  Layer.unwrap(
    Effect.map(connectionIn(resolve(folder)), (connection) => layerOf(reading(embeddedPool(connection)), READING_WAIT))
  )

/** The embedded PostgreSQL of a data folder: the one that runs there, else one that is started for the scope. */
export const connectionIn = Effect.fnUntraced(function* (
  dataDir: string
): Effect.fn.Return<
  EmbeddedConnection,
  NoDatabaseThere | EmbeddedPostgresFailed | PostgresBinariesMissing,
  Scope.Scope
> {
  const { cluster } = placeIn(dataDir)
  if (!existsSync(cluster)) {
    const message = `There is no database in ${dataDir}: name the DATA_DIR that the server was started with.`
    return yield* new NoDatabaseThere({ message })
  }
  const running = readPostmaster(cluster)
  const path = socketFile(socketFolder(dataDir))
  if (running?.status === "ready" && signal(running.pid, 0) && existsSync(path)) {
    return { path, username: USER, database: DATABASE }
  }
  const started = yield* startEmbeddedPostgres({ dataDir })
  return started.connection
})

/** PostgreSQL's states for a table and a column that are not there. */
const UNKNOWN_TABLES: ReadonlySet<string | undefined> = new Set(["42P01", "42703"])

/** PostgreSQL's state of what a migration refuses. */
const RAISED = "P0001"

/** What to do about a failure of SQL while reading; undefined for another error. */
export const readingProblem = (error: unknown): string | undefined => {
  if (!isSqlError(error)) return undefined
  const { cause } = error.reason
  const reason = Predicate.hasProperty(cause, "message") ? String(cause.message) : error.message
  if (sqlState(error) === RAISED) return `The database refuses it: ${reason}.`
  return UNKNOWN_TABLES.has(sqlState(error))
    ? `This database has not the tables of this version (${reason}): start the server on it once, or name another.`
    : `The database could not be read: ${reason}. Try again when it answers.`
}
