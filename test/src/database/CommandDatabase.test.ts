import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync } from "node:fs"
import { atUrl, inDataDir } from "../../../src/database/CommandDatabase.ts"
import { startEmbeddedPostgres } from "../../../src/database/EmbeddedPostgres.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"

const write = Effect.flatMap(
  SqlClient,
  (sql) => sql`CREATE TABLE IF NOT EXISTS written AS SELECT current_setting('application_name') AS name`
).pipe(Effect.andThen(Effect.flatMap(SqlClient, (sql) => sql<{ readonly name: string }>`SELECT name FROM written`)))

describe("CommandDatabase", () => {
  itLive(
    "writes to a data folder beside its server and without one, and leaves the server's PostgreSQL running",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const scope = yield* Scope.make()
        const { connection } = yield* Scope.provide(startEmbeddedPostgres({ dataDir, durable: false }), scope)
        expect(yield* Effect.provide(write, inDataDir(dataDir))).toEqual([{ name: "emporion command" }])
        expect(existsSync(connection.path)).toBe(true)
        yield* Scope.close(scope, Exit.void)
        expect(existsSync(connection.path)).toBe(false)
        expect(yield* Effect.provide(write, inDataDir(dataDir))).toEqual([{ name: "emporion command" }])
        expect(existsSync(connection.path)).toBe(false)
        const elsewhere = yield* Effect.flip(Layer.build(inDataDir(`${dataDir}/none`)))
        expect(elsewhere.message).toContain("There is no database in")
      }),
    60_000
  )

  itLive("writes to a PostgreSQL elsewhere", () =>
    Effect.gen(function* () {
      const { url } = yield* testDatabase
      expect(yield* Effect.provide(write, atUrl(Redacted.make(url)))).toEqual([{ name: "emporion command" }])
    })
  )
})
