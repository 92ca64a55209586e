import { Effect, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import type { Source } from "../../src/cli/EventLog.ts"
import type { ArenaCommand } from "./ArenaCommands.ts"
import { commit, run, tick } from "./ArenaScenario.ts"
import { ArenaModelComparison } from "./ArenaModelComparison.ts"
import { quiet } from "./Quiet.ts"
import { copyOf, type TestDatabase, testDatabase } from "./TestDatabase.ts"
import { TestServer } from "./TestServer.ts"

/** Several slots with winners, losers, machines, takes of profit, voids of each kind, and money that comes in. */
const PLAY: ReadonlyArray<ArenaCommand> = [
  tick,
  { _tag: "Register", agent: 1, trader: "cyd", capability: "gpu", dollars: 300 },
  commit(0, { key: 1, copies: 3 }),
  commit(0, { trader: "bob", price: 1_020, quantity: 333 }),
  commit(0, { trader: "cyd", price: 1_060, quantity: 50, machine: 0 }),
  commit(1, { trader: "client", price: 1_090 }),
  commit(2, { price: 1_000, exit: 1_010 }),
  commit(3, { trader: "bob", price: 1_000 }),
  { _tag: "Mint", trader: "poor", dollars: 100, key: 1 },
  { _tag: "Mint", trader: "poor", dollars: 50, key: null },
  { _tag: "Pass", millis: 90_000 },
  { _tag: "Quote", type: "commodity", permille: 1_005 },
  tick,
  { _tag: "Restart" },
  { _tag: "Quote", type: "fx", permille: 1_015 },
  run(3, 30_000),
  commit(0),
  commit(2),
  { _tag: "Quote", type: "fx", permille: 1_070 },
  tick,
  { _tag: "Pass", millis: 200_000 },
  tick,
  run(3, 30_000),
  commit(0),
  { _tag: "Pass", millis: 87_000_000 },
  tick,
  commit(0),
  commit(1, { trader: "bob" }),
  { _tag: "Pass", millis: 90_000 },
  tick,
  ...ASSET_TYPES.map((type): ArenaCommand => ({ _tag: "Quote", type, permille: null })),
  { _tag: "Pass", millis: 87_000_000 },
  tick,
  ...ASSET_TYPES.map((type): ArenaCommand => ({ _tag: "Quote", type, permille: 1_000 })),
  run(40, 15_000),
  commit(0)
]

/** A server whose database holds the log of a whole play, after each of whose acts something else happens. */
export const playedLogWith = (
  after: (log: PlayedLog) => Effect.Effect<void>,
  on = testDatabase
): Effect.Effect<PlayedLog, never, Scope.Scope> =>
  Effect.gen(function* () {
    const comparison = yield* ArenaModelComparison.make("weighted", on)
    const log = new PlayedLog(comparison.server)
    for (const command of PLAY) {
      yield* comparison.do(command)
      yield* after(log)
    }
    // Whoever reads through the server waits for the tables; whoever opens the database does not.
    yield* log.sql("SELECT 1")
    return log
  })

/** Of databases that stay until PostgreSQL ends. */
const lasting = Scope.makeUnsafe()

let played: Promise<{ readonly ended: TestServer; readonly database: TestDatabase }> | undefined

/** Plays once for all tests of the process, and ends the server, so that copies can be made of its database. */
const play = () =>
  Effect.gen(function* () {
    const database = yield* Effect.orDie(Scope.provide(testDatabase, lasting))
    const { server: ended } = yield* Effect.scoped(playedLogWith(() => Effect.void, Effect.succeed(database)))
    return { ended, database }
  }).pipe(Effect.provide(quiet), Effect.runPromise)

/** A server whose database holds the log of a whole play. */
export const playedLog: Effect.Effect<PlayedLog, never, Scope.Scope> = Effect.gen(function* () {
  const { database, ended } = yield* Effect.promise(() => (played ??= play()))
  const copy = yield* Effect.orDie(copyOf(database))
  return new PlayedLog(yield* TestServer.goOn(ended, copy))
})

export class PlayedLog {
  readonly server: TestServer
  readonly source: Extract<Source, { readonly _tag: "Database" }>

  /** @param archive - where the journal's archive is, if there is one */
  constructor(server: TestServer, archive?: string) {
    this.server = server
    this.source = { _tag: "Database", url: Redacted.make(server.databaseUrl), archive }
  }

  /** Runs a statement behind the platform's back. */
  sql<Row extends object>(statement: string, values: ReadonlyArray<unknown> = []): Effect.Effect<ReadonlyArray<Row>> {
    return this.server.run(
      Effect.flatMap(SqlClient, (sql) =>
        sql.withTransaction(
          Effect.andThen(sql`SET LOCAL session_replication_role = replica`, sql.unsafe<Row>(statement, [...values]))
        )
      )
    )
  }
}
