import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted } from "effect"
import { resolve } from "node:path"
import { type Connected, embeddedPool, layerOf, urlPool } from "./Database.ts"
import { startEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { connectionIn, type ReadingFailed } from "./ReadOnlyDatabase.ts"

/** Milliseconds that a statement of a command may go without an answer: longer than the server lets it run. */
const WORKING_WAIT = 31_000

/** A command works beside a server, and takes few of the connections. */
const working = (config: PgClient.PgPoolConfig): PgClient.PgPoolConfig => ({
  ...config,
  applicationName: "emporion command",
  minConnections: 1,
  maxConnections: 3,
  multiplex: false
})

type Working = Layer.Layer<Connected, ReadingFailed>

/** A PostgreSQL elsewhere, for a command that writes. */
export const atUrl = (url: Redacted.Redacted): Working => layerOf(working(urlPool(url)), WORKING_WAIT)

/** The embedded PostgreSQL of a data folder, in use or not, for a command that writes. */
export const inDataDir = (folder: string): Working =>
  Layer.unwrap(
    Effect.map(connectionIn(resolve(folder)), (connection) => layerOf(working(embeddedPool(connection)), WORKING_WAIT))
  )

/** Milliseconds that a statement of a restore may take, which writes or checks a whole table. */
const RESTORING_LIMIT = 3_600_000

const restoring = (config: PgClient.PgPoolConfig): PgClient.PgPoolConfig => ({
  ...working(config),
  startupParameters: { ...config.startupParameters, statement_timeout: String(RESTORING_LIMIT) }
})

/** A PostgreSQL elsewhere, for a restore. */
export const restoringAtUrl = (url: Redacted.Redacted): Working =>
  layerOf(restoring(urlPool(url)), RESTORING_LIMIT + 1_000)

/** The embedded PostgreSQL of a data folder, which is made where there is none, for a restore. */
export const restoringInDataDir = (folder: string): Working =>
  Layer.unwrap(
    Effect.map(startEmbeddedPostgres({ dataDir: resolve(folder) }), ({ connection }) =>
      layerOf(restoring(embeddedPool(connection)), RESTORING_LIMIT + 1_000)
    )
  )
