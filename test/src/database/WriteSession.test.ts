import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { Outdated, TRANSACTION_WAIT, WriteSession } from "../../../src/database/WriteSession.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const itWrites = withLayer(
  Layer.effectDiscard(
    Effect.flatMap(SqlClient, (sql) => sql`CREATE TABLE steps (at bigserial, name text UNIQUE)`)
  ).pipe(Layer.provideMerge(WriteSession.layer), Layer.provideMerge(TestDatabase.layer))
)

const insert = (name: string) => Effect.map(SqlClient, (sql) => sql`INSERT INTO steps (name) VALUES (${name})`)

/** The names that a prefix begins, in the order in which they were written. */
const written = (prefix: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ name: string }>`SELECT name FROM steps WHERE name LIKE ${`${prefix}%`} ORDER BY at`
    return rows.map(({ name }) => name)
  })

/** Sends the statements that insert these names at once. */
const writeAll = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const { transaction } = yield* WriteSession
  const statements = yield* Effect.forEach(names, insert)
  return yield* Effect.exit(transaction(() => Effect.succeed({ answer: undefined, statements })))
})

describe("WriteSession", () => {
  itWrites("runs statements sent at once in the order of sending", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 400 }, (_, index) => `order/${index}`)
      expect(Exit.isSuccess(yield* writeAll(...names))).toBe(true)
      expect(yield* written("order/")).toEqual(names)
    })
  )

  itWrites("decides on what it reads, and tells others after the commit alone", () =>
    Effect.gen(function* () {
      const { transaction } = yield* WriteSession
      const sql = yield* SqlClient
      yield* writeAll("seen/1", "seen/2")
      const next = yield* transaction(
        Effect.fnUntraced(function* (run) {
          const [first, second] = yield* Effect.all(
            [1, 2].map((index) => run(sql<{ name: string }>`SELECT name FROM steps WHERE name = ${`seen/${index}`}`)),
            { concurrency: "unbounded" }
          )
          const name = `${first?.[0]?.name}+${second?.[0]?.name}`
          const others = yield* written("seen/").pipe(Effect.provideService(SqlClient, sql))
          return {
            answer: [name, others.length] as const,
            statements: [sql`INSERT INTO steps (name) VALUES (${name})`]
          }
        })
      )
      expect(next).toEqual(["seen/1+seen/2", 2])
      expect(yield* written("seen/")).toEqual(["seen/1", "seen/2", "seen/1+seen/2"])
    })
  )

  itWrites("leaves nothing when a statement fails, whatever was sent after it, and goes on", () =>
    Effect.gen(function* () {
      expect(Exit.isFailure(yield* writeAll("half/1", "half/1", "half/2"))).toBe(true)
      expect(yield* written("half/")).toEqual([])
      expect(Exit.isSuccess(yield* writeAll("half/3"))).toBe(true)
      expect(yield* written("half/")).toEqual(["half/3"])
    })
  )

  itWrites("leaves nothing when its body fails", () =>
    Effect.gen(function* () {
      const { transaction } = yield* WriteSession
      const sql = yield* SqlClient
      const exit = yield* Effect.exit(
        transaction((run) =>
          Effect.andThen(run(sql`INSERT INTO steps (name) VALUES ('body/1') RETURNING at`), Effect.fail("no"))
        )
      )
      expect(exit).toEqual(Exit.fail("no"))
      expect(yield* written("body/")).toEqual([])
    })
  )

  itWrites("writes nothing where its condition is not met, also of what was sent behind a failure", () =>
    Effect.gen(function* () {
      const { transaction } = yield* WriteSession
      const sql = yield* SqlClient
      const onlyAfter = (before: string) =>
        sql`SELECT 1 / (SELECT count(*) FROM steps WHERE name = ${before})::integer AS certain`
      const write = Effect.fnUntraced(function* (before: string | undefined, ...names: ReadonlyArray<string>) {
        const statements = yield* Effect.forEach(names, insert)
        const condition = before === undefined ? {} : { condition: onlyAfter(before) }
        return yield* Effect.exit(transaction(() => Effect.succeed({ answer: names.length, statements, ...condition })))
      })
      const chained = yield* Effect.all([write(undefined, "if/1"), write("if/1", "if/2"), write("if/2", "if/3")], {
        concurrency: "unbounded"
      })
      expect(chained).toEqual([Exit.succeed(1), Exit.succeed(1), Exit.succeed(1)])
      const [failed, behind] = yield* Effect.all([write("if/3", "if/4", "if/1"), write("if/4", "if/5")], {
        concurrency: "unbounded"
      })
      expect(Exit.isFailure(failed)).toBe(true)
      expect(behind).toEqual(Exit.fail(new Outdated()))
      expect(yield* written("if/")).toEqual(["if/1", "if/2", "if/3"])
      expect(yield* write("if/3", "if/6")).toEqual(Exit.succeed(1))
    })
  )

  itWrites("opens one connection for transactions that come at once, and keeps their order", () =>
    Effect.gen(function* () {
      const { transaction } = yield* WriteSession
      const sql = yield* SqlClient
      const names = Array.from({ length: 8 }, (_, index) => `first/${index}`)
      const backends = yield* Effect.forEach(
        names,
        (name) =>
          transaction((run) =>
            Effect.map(run(sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`), ([row]) => ({
              answer: row?.pid,
              statements: [sql`INSERT INTO steps (name) VALUES (${name})`]
            }))
          ),
        { concurrency: "unbounded" }
      )
      expect(new Set(backends).size).toBe(1)
      expect((yield* written("first/")).toSorted()).toEqual(names)
      const behind = names.map((name) => writeAll(`${name}/behind`))
      yield* Effect.all(behind, { concurrency: "unbounded" })
      expect(yield* written("first/%/")).toEqual(names.map((name) => `${name}/behind`))
    }).pipe(Effect.provide(Layer.fresh(WriteSession.layer)))
  )

  itWrites("connects again after its connection is lost in a transaction", () =>
    Effect.gen(function* () {
      const { transaction } = yield* WriteSession
      const sql = yield* SqlClient
      const statements = [yield* insert("lost/1"), sql`SELECT pg_terminate_backend(pg_backend_pid())`]
      const lost = yield* Effect.exit(transaction(() => Effect.succeed({ answer: undefined, statements })))
      expect(Exit.isFailure(lost)).toBe(true)
      expect(Exit.isSuccess(yield* writeAll("lost/2"))).toBe(true)
      expect(yield* written("lost/")).toEqual(["lost/2"])
    })
  )

  itWrites("closes the connection of a transaction that gets no answer in time, and opens another", () =>
    Effect.gen(function* () {
      const { transaction } = yield* WriteSession
      const sql = yield* SqlClient
      const statements = [yield* insert("slow/1"), sql`SELECT pg_sleep(20)`]
      const hanging = yield* Effect.forkChild(
        Effect.exit(transaction(() => Effect.succeed({ answer: undefined, statements }))),
        { startImmediately: true }
      )
      yield* TestClock.adjust(TRANSACTION_WAIT)
      expect(Exit.isFailure(yield* Fiber.join(hanging))).toBe(true)
      expect(Exit.isSuccess(yield* writeAll("slow/2"))).toBe(true)
    }).pipe(Effect.provide(TestClock.layer()))
  )
})
