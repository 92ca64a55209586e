import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync } from "node:fs"
import { embeddedPool, layerOf } from "../../../src/database/Database.ts"
import { startEmbeddedPostgres } from "../../../src/database/EmbeddedPostgres.ts"
import { EventLogRepository } from "../../../src/database/EventLogRepository.ts"
import { migrate } from "../../../src/database/Migrations.ts"
import { atUrl, inDataDir, readingProblem } from "../../../src/database/ReadOnlyDatabase.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { emptyDatabase, testDatabase } from "../../lib/TestDatabase.ts"

const look = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly tables: number }>`
    SELECT count(*)::int AS tables FROM pg_tables WHERE tablename = 'events'`
  const refused = yield* Effect.flip(sql`CREATE TABLE written (id integer)`)
  const raised = yield* Effect.flip(sql`DO $$ BEGIN RAISE EXCEPTION 'what is there forbids it'; END $$`)
  expect(readingProblem(raised)).toBe("The database refuses it: what is there forbids it.")
  return [row?.tables, readingProblem(refused)?.includes("read-only")]
})

describe("ReadOnlyDatabase", () => {
  itLive(
    "reads a data folder while its PostgreSQL runs and when it does not, and never writes",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const scope = yield* Scope.make()
        const { connection } = yield* Scope.provide(startEmbeddedPostgres({ dataDir, durable: false }), scope)
        yield* migrate().pipe(Effect.provide(layerOf(embeddedPool(connection))))
        expect(yield* Effect.provide(look, inDataDir(dataDir))).toEqual([1, true])
        expect(existsSync(connection.path)).toBe(true)
        yield* Scope.close(scope, Exit.void)
        expect(existsSync(connection.path)).toBe(false)
        expect(yield* Effect.provide(look, inDataDir(dataDir))).toEqual([1, true])
        expect(existsSync(connection.path)).toBe(false)
      }),
    60_000
  )

  itLive("says what to do about a folder without a database, and makes none", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const refused = yield* Effect.flip(Layer.build(inDataDir(dataDir)))
      expect(refused.message).toContain(`There is no database in ${dataDir}`)
      expect(existsSync(`${dataDir}/postgres`)).toBe(false)
    })
  )

  itLive("reads a PostgreSQL elsewhere, and says what to do about one without tables", () =>
    Effect.gen(function* () {
      const migrated = yield* testDatabase
      expect(yield* Effect.provide(look, atUrl(Redacted.make(migrated.url)))).toEqual([1, true])
      const { url } = yield* emptyDatabase
      const reading = Effect.flatMap(EventLogRepository, ({ lastEvent }) => lastEvent).pipe(
        Effect.provide(EventLogRepository.layer.pipe(Layer.provide(atUrl(Redacted.make(url)))))
      )
      expect(readingProblem(yield* Effect.flip(reading))).toContain("start the server on it once")
      expect(readingProblem(new Error("another"))).toBeUndefined()
    })
  )
})
