import { PgConnection } from "@effect/sql-pg"
import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { freePort } from "../../lib/FreePort.ts"
import { refusedStart } from "../../lib/ServerProcess.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"

const KEY = "5d".repeat(32)

const REFUSED =
  "emporion: The database has migration 9999_later, which this version does not know: start a newer version."

/** A database that a newer version has migrated. */
const newer = Effect.gen(function* () {
  const { config, url } = yield* testDatabase
  const connection = yield* PgConnection.make(config)
  yield* connection.query("INSERT INTO schema_migrations (id, name, checksum) VALUES (9999, 'later', 'x')", [], false)
  return url
}).pipe(Effect.orDie)

describe("A start on the database of a newer version", () => {
  itLive(
    "is refused by a server that is alone, and by a node before it serves anybody",
    () =>
      Effect.gen(function* () {
        const alone = { DATABASE_URL: yield* newer, APP_MODE: "sandbox", SECRET_KEY: KEY }
        const port = yield* freePort
        const node = {
          ...alone,
          CLUSTER: "on",
          NODE_ADDRESS: `127.0.0.1:${port}`,
          CLUSTER_SECRET: KEY,
          PUBLIC_URL: "http://emporion.example"
        }
        const said = [yield* refusedStart(alone), yield* refusedStart(node)]
        expect(said).toEqual([REFUSED, REFUSED])
      }),
    60_000
  )
})
