/** A process that runs the embedded PostgreSQL in the folder given, commits one row, says `ready`, and stays. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { startEmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { quiet } from "./Quiet.ts"

const program = Effect.gen(function* () {
  const { connection, pid } = yield* startEmbeddedPostgres({ dataDir: process.argv[2] ?? "" })
  const session = yield* PgConnection.make(connection)
  yield* session.query("CREATE TABLE kept AS SELECT 7 AS id")
  process.stdout.write(`ready ${yield* pid}\n`)
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(quiet)))
