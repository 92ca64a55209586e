import type { PgClient } from "@effect/sql-pg"
import { Data, Effect, Layer, Predicate, Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { Settings } from "../Config.ts"
import * as BoundedClient from "./BoundedClient.ts"
import { EmbeddedPostgres } from "./EmbeddedPostgres.ts"
import type { EmbeddedConnection } from "./EmbeddedPostgres.ts"
import type { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import type { PostgresBinariesMissing } from "./PostgresBinaries.ts"
import type { TablePosition } from "./ProjectedPosition.ts"

/** The database does not answer at the start. Its message is one sentence that says what to do. */
export class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{ readonly message: string }> {}

/**
 * Small statements share connections; transactions and listeners take one each. All of them open at the start: the pool
 * opens another only when the shared ones are full of statements, so transactions would wait for each other.
 */
const CONNECTIONS = 12
const STATEMENTS_PER_CONNECTION = 64

/** Milliseconds that a statement, a wait for a lock, and a silent transaction may last. */
const STATEMENT_LIMIT = 30_000
const LOCK_LIMIT = 4_000
const IDLE_TRANSACTION_LIMIT = 10_000

/** The first major version of PostgreSQL that the program's statements work with. */
const MIN_VERSION = 15

/** The settings of every connection of the program. */
const pool: PgClient.PgPoolConfig = {
  applicationName: "emporion",
  connectTimeout: "3 seconds",
  keepAlive: "30 seconds",
  maxConnections: CONNECTIONS,
  minConnections: CONNECTIONS,
  multiplex: true,
  multiplexConcurrency: STATEMENTS_PER_CONNECTION,
  startupParameters: {
    timezone: "UTC",
    statement_timeout: String(STATEMENT_LIMIT),
    lock_timeout: String(LOCK_LIMIT),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_LIMIT)
  }
}

export const embeddedPool = (connection: EmbeddedConnection): PgClient.PgPoolConfig => ({ ...pool, ...connection })

export const urlPool = (url: Redacted.Redacted): PgClient.PgPoolConfig => ({ ...pool, url })

/** Host, port and name, without the password. */
const shown = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

const whereOf = (config: PgClient.PgClientConfig): string =>
  config.url === undefined
    ? `the embedded database (${config.path})`
    : `DATABASE_URL (${shown(Redacted.value(config.url))})`

const unreachable = (config: PgClient.PgClientConfig, error: SqlError): DatabaseUnreachable => {
  const { cause } = error.reason
  const reason = Predicate.hasProperty(cause, "message") && cause.message !== "" ? String(cause.message) : error.message
  const message = `No connection to ${whereOf(config)}: ${reason}. Check that PostgreSQL runs there and takes this user.`
  return new DatabaseUnreachable({ message })
}

/** Connects, and asks once: a pool alone builds without a server. */
const connect = Effect.fn("Database.connect")(function* (config: PgClient.PgPoolConfig, wait?: number) {
  const clients = yield* BoundedClient.make(config, wait)
  const [found] = yield* clients.direct<{
    version: number
  }>`SELECT current_setting('server_version_num')::int AS version`
  if (found !== undefined && found.version >= MIN_VERSION * 10_000) return clients
  const message = `${whereOf(config)} is PostgreSQL ${(found?.version ?? 0) / 10_000}: version ${MIN_VERSION} or later is needed.`
  return yield* new DatabaseUnreachable({ message })
})

/** The services that a connection to the database gives. */
export type Connected =
  | PgClient.PgClient
  | SqlClient
  | BoundedClient.Direct
  | BoundedClient.ConnectionCheck
  | TablePosition

/** A probed client for a pool's settings, and how long its statements may go without an answer, in milliseconds. */
export const layerOf = (config: PgClient.PgPoolConfig, wait?: number): Layer.Layer<Connected, DatabaseUnreachable> =>
  BoundedClient.layer(
    connect(config, wait).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(unreachable(config, error))))
  )

export type DatabaseStartError = DatabaseUnreachable | EmbeddedPostgresFailed | PostgresBinariesMissing

/** The connections of this process have their own name. The next process uses it to end those that are left behind. */
const own = (config: PgClient.PgPoolConfig): PgClient.PgPoolConfig => ({
  ...config,
  applicationName: `emporion ${randomBytes(4).toString("hex")}`
})

/** The program's own PostgreSQL in a data folder. */
const embedded = (dataDir: string): Layer.Layer<Connected, DatabaseStartError> =>
  Layer.unwrap(Effect.map(EmbeddedPostgres, ({ connection }) => layerOf(own(embeddedPool(connection))))).pipe(
    Layer.provide(EmbeddedPostgres.layer({ dataDir }))
  )

/** The database of the settings: `DATABASE_URL`, else an embedded one in the data folder. */
export const layer: Layer.Layer<Connected, DatabaseStartError, Settings> = Layer.unwrap(
  Effect.map(Settings, ({ database, dataDir }) =>
    database.url === undefined ? embedded(dataDir) : layerOf(own(urlPool(database.url)))
  )
)
