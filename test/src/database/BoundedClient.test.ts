import { describe, expect } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as BoundedClient from "../../../src/database/BoundedClient.ts"
import { TablePosition } from "../../../src/database/ProjectedPosition.ts"
import { unavailableOrDie } from "../../../src/database/DatabaseError.ts"
import { withLayer } from "../../lib/Effects.ts"
import { emptyDatabase } from "../../lib/TestDatabase.ts"

/** Milliseconds that a statement may go without an answer here. */
const WAIT = 250

const it = withLayer(
  BoundedClient.layer(Effect.flatMap(emptyDatabase, ({ config }) => BoundedClient.make(config, WAIT)))
)

const failing = <A>(effect: Effect.Effect<A, SqlError>) =>
  Effect.map(Effect.flip(unavailableOrDie(effect)), ({ _tag, reason }) => `${_tag}: ${reason}`)

const SILENT = /^Unavailable: .*did not answer in time/

describe("a client of a database that hangs", () => {
  it("fails a statement that gets no answer, also beside others, and goes on", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const told = yield* Effect.all([failing(sql`SELECT pg_sleep(20)`), failing(sql`SELECT pg_sleep(20)`)], {
        concurrency: "unbounded"
      })
      for (const each of told) expect(each).toMatch(SILENT)
      expect([...(yield* sql`SELECT 1 AS one`)]).toEqual([{ one: 1 }])
    }))

  it("fails a transaction without waiting for its end, takes nothing of it, and goes on", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`CREATE TABLE taken (one integer)`
      const hanging = sql.withTransaction(Effect.andThen(sql`INSERT INTO taken VALUES (1)`, sql`SELECT pg_sleep(20)`))
      expect(yield* failing(hanging)).toMatch(SILENT)
      expect([...(yield* sql.withTransaction(sql`SELECT * FROM taken`))]).toEqual([])
    }))

  it("lets a statement take its time where what runs it says so", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const rows = yield* Effect.provideService(
        sql`SELECT 1 AS one FROM pg_sleep(${(3 * WAIT) / 1_000})`,
        BoundedClient.StatementWait,
        5_000
      )
      expect([...rows]).toEqual([{ one: 1 }])
    }))
})

describe("a client whose connections are asked something first", () => {
  it("fails what waits for an answer to that, and asks nothing more on the connection", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const clients = yield* Effect.provide(BoundedClient.make({ ...config, multiplex: false }, WAIT), Reactivity.layer)
      const sql = clients.tables
      const asked: Array<number> = []
      const hanging = (connection: Connection) =>
        Effect.andThen(
          Effect.tap(connection.executeUnprepared("SELECT pg_backend_pid() AS pid", [], undefined), ([{ pid }]) =>
            Effect.sync(() => asked.push(pid))
          ),
          Effect.asVoid(connection.execute("SELECT pg_sleep(20)", [], undefined))
        )
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* clients.check.set(hanging)
          const told = [
            yield* failing(sql`SELECT 1 AS one`),
            yield* failing(sql.withTransaction(sql`SELECT 1 AS one`)),
            yield* failing(Effect.scoped(sql.reserve))
          ]
          for (const each of told) expect(each).toMatch(SILENT)
        })
      )
      expect(new Set(asked).size).toBe(3)
      const [now] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
      expect(asked).not.toContain(now?.pid)
    }))
})

describe("a client of tables that lag behind", () => {
  it("waits before a transaction begins, and never inside one, where it may hold locks", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const position = yield* TablePosition
      const began = Deferred.makeUnsafe<void>()
      const goes = Deferred.makeUnsafe<void>()
      const within = sql`SELECT 1 AS one`.pipe(
        Effect.tap(() => Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(goes))),
        Effect.andThen(sql`SELECT 2 AS two`),
        Effect.flatMap((rows) => sql.withTransaction(Effect.as(sql`SELECT 3 AS three`, rows)))
      )
      const first = yield* Effect.forkChild(sql.withTransaction(within), { startImmediately: true })
      yield* Deferred.await(began)
      position.tell(1)
      const second = yield* Effect.forkChild(sql.withTransaction(sql`SELECT 4 AS four`), { startImmediately: true })
      yield* Deferred.succeed(goes, undefined)
      expect([...(yield* Fiber.join(first))]).toEqual([{ two: 2 }])
      expect([position.isAwaited, second.pollUnsafe()]).toEqual([true, undefined])
      position.reach(1)
      expect([...(yield* Fiber.join(second))]).toEqual([{ four: 4 }])
    }))
})
