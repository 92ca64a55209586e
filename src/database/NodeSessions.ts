import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { addressText } from "../ClusterSettings.ts"
import { Settings } from "../Config.ts"
import { urlPool } from "./Database.ts"

/** Connections of a node beside those of its app: one holds its locks. */
const CONNECTIONS = 3

/** How long a stopped node keeps its locks, in milliseconds. */
export const EXPIRATION = 6_000

/** Most bytes of a session's name, without its end. */
const MAX_ADDRESS = 40

/** The name of a node's sessions in PostgreSQL. */
export const sessionName = (address: string): string =>
  `emporion node ${address.length <= MAX_ADDRESS ? address : createHash("sha256").update(address).digest("hex").slice(0, MAX_ADDRESS)}`

/** The node's own connections. Their commits need not be durable, because a node repeats that it is there. */
export const layer: Layer.Layer<PgClient.PgClient | SqlClient, SqlError, Settings> = Layer.unwrap(
  Effect.gen(function* () {
    const { cluster, database } = yield* Settings
    if (cluster === undefined || database.url === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
    const pool = urlPool(database.url)
    return PgClient.layer({
      ...pool,
      applicationName: sessionName(addressText(cluster.address)),
      maxConnections: CONNECTIONS,
      minConnections: CONNECTIONS - 1,
      startupParameters: {
        ...pool.startupParameters,
        synchronous_commit: "off",
        idle_session_timeout: String(EXPIRATION),
        tcp_keepalives_idle: "2",
        tcp_keepalives_interval: "1",
        tcp_keepalives_count: "3"
      }
    })
  })
)
