import { describe, expect } from "bun:test"
import { Outdated } from "../../../engine/journal/Outdated.ts"
import { Clock, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { TURN } from "../../../src/database/InTurns.ts"
import { ProjectionSession, TRANSACTION_WAIT, WriteSession } from "../../../src/database/WriteSession.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const itWrites = withLayer(
  Layer.effectDiscard(
    Effect.flatMap(SqlClient, (sql) => sql`CREATE TABLE steps (at bigserial, name text UNIQUE)`)
  ).pipe(Layer.provideMerge(ProjectionSession.layer), Layer.provideMerge(TestDatabase.layer))
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
  const { transaction } = yield* ProjectionSession
  const statements = yield* Effect.forEach(names, insert)
  return yield* Effect.exit(transaction({ statements }))
})

/**
 * A clock by which whatever is done takes as long as others wait for a turn at most.
 *
 * @param looked - told how often somebody looked at it
 */
const slowlyWith = (looked: (count: number) => void) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (clock) => {
      let count = 0
      const look = (): bigint => {
        looked((count += 1))
        return BigInt(count) * TURN
      }
      return Object.assign(Object.create(clock) as Clock.Clock, { monotonicTimeNanosUnsafe: look })
    })
  )

const slowly = slowlyWith(() => undefined)

describe("ProjectionSession", () => {
  itWrites("runs statements sent at once in the order of sending", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 400 }, (_, index) => `order/${index}`)
      expect(Exit.isSuccess(yield* writeAll(...names))).toBe(true)
      expect(yield* written("order/")).toEqual(names)
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

  itWrites("writes nothing where its condition is not met, also of what was sent behind a failure", () =>
    Effect.gen(function* () {
      const { transaction } = yield* ProjectionSession
      const sql = yield* SqlClient
      const onlyAfter = (before: string) =>
        sql`SELECT 1 / (SELECT count(*) FROM steps WHERE name = ${before})::integer AS certain`
      const write = Effect.fnUntraced(function* (before: string | undefined, ...names: ReadonlyArray<string>) {
        const statements = yield* Effect.forEach(names, insert)
        const condition = before === undefined ? {} : { condition: onlyAfter(before) }
        return yield* Effect.exit(transaction({ statements, ...condition }))
      })
      const chained = yield* Effect.all([write(undefined, "if/1"), write("if/1", "if/2"), write("if/2", "if/3")], {
        concurrency: "unbounded"
      })
      expect(chained).toEqual([Exit.void, Exit.void, Exit.void])
      const [failed, behind] = yield* Effect.all([write("if/3", "if/4", "if/1"), write("if/4", "if/5")], {
        concurrency: "unbounded"
      })
      expect(Exit.isFailure(failed)).toBe(true)
      expect(behind).toEqual(Exit.fail(new Outdated()))
      expect(yield* written("if/")).toEqual(["if/1", "if/2", "if/3"])
      expect(yield* write("if/3", "if/6")).toEqual(Exit.void)
    })
  )

  itWrites("opens one connection for transactions that come at once, and keeps their order", () =>
    Effect.gen(function* () {
      const { transaction } = yield* ProjectionSession
      const sql = yield* SqlClient
      const names = Array.from({ length: 8 }, (_, index) => `first/${index}`)
      yield* sql`CREATE TABLE IF NOT EXISTS backends (pid integer)`
      yield* Effect.forEach(
        names,
        (name) =>
          transaction({
            statements: [
              sql`INSERT INTO steps (name) VALUES (${name})`,
              sql`INSERT INTO backends SELECT pg_backend_pid()`
            ]
          }),
        { concurrency: "unbounded" }
      )
      expect((yield* sql`SELECT DISTINCT pid FROM backends`).length).toBe(1)
      expect(yield* written("first/")).toEqual(names)
      const behind = names.map((name) => writeAll(`${name}/behind`))
      yield* Effect.all(behind, { concurrency: "unbounded" })
      expect(yield* written("first/%/")).toEqual(names.map((name) => `${name}/behind`))
    }).pipe(Effect.provide(Layer.fresh(ProjectionSession.layer)))
  )

  itWrites("keeps transactions apart that come while another one gives turns to others", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c", "d"].map((one) => [1, 2, 3].map((index) => `turns/${one}/${index}`))
      const [failing = [], ...others] = names
      const [failed, ...exits] = yield* Effect.all(
        [writeAll(...failing, "turns/a/1"), ...others.map((name) => writeAll(...name))],
        { concurrency: "unbounded" }
      )
      expect(failed && Exit.isFailure(failed)).toBe(true)
      expect(exits).toEqual(others.map(() => Exit.void))
      expect(yield* written("turns/")).toEqual(others.flat())
    }).pipe(Effect.provide(Layer.fresh(ProjectionSession.layer).pipe(Layer.provide(slowly))))
  )

  itWrites("connects again after its connection is lost in a transaction", () =>
    Effect.gen(function* () {
      const { transaction } = yield* ProjectionSession
      const sql = yield* SqlClient
      const statements = [yield* insert("lost/1"), sql`SELECT pg_terminate_backend(pg_backend_pid())`]
      const lost = yield* Effect.exit(transaction({ statements }))
      expect(Exit.isFailure(lost)).toBe(true)
      expect(Exit.isSuccess(yield* writeAll("lost/2"))).toBe(true)
      expect(yield* written("lost/")).toEqual(["lost/2"])
    })
  )

  itWrites("closes the connection of a transaction that gets no answer in time, and opens another", () =>
    Effect.gen(function* () {
      const { transaction } = yield* ProjectionSession
      const sql = yield* SqlClient
      // Its time begins once it has a connection, and the clock goes on but once.
      expect(Exit.isSuccess(yield* writeAll("slow/0"))).toBe(true)
      const statements = [yield* insert("slow/1"), sql`SELECT pg_sleep(20)`]
      const hanging = yield* Effect.forkChild(Effect.exit(transaction({ statements })), { startImmediately: true })
      yield* TestClock.adjust(TRANSACTION_WAIT)
      expect(Exit.isFailure(yield* Fiber.join(hanging))).toBe(true)
      expect(Exit.isSuccess(yield* writeAll("slow/2"))).toBe(true)
      expect(yield* written("slow/")).toEqual(["slow/0", "slow/2"])
    }).pipe(Effect.provide(TestClock.layer()))
  )

  itWrites("takes as long for sending a transaction as it needs", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 400 }, (_, index) => `long/${index}`)
      const begun = Deferred.makeUnsafe<void>()
      const session = Layer.fresh(ProjectionSession.layer).pipe(
        Layer.provide(slowlyWith((count) => count === 50 && Deferred.doneUnsafe(begun, Effect.void)))
      )
      const sending = yield* Effect.forkChild(
        Effect.provide(Effect.andThen(writeAll("long/first"), writeAll(...names)), session)
      )
      yield* Deferred.await(begun)
      yield* TestClock.adjust(TRANSACTION_WAIT)
      expect(yield* Fiber.join(sending)).toEqual(Exit.void)
      expect(yield* written("long/")).toEqual(["long/first", ...names])
    }).pipe(Effect.provide(TestClock.layer()))
  )
})

describe("WriteSession", () => {
  itWrites("appends in the order of sending, and nothing behind what was not appended, by one connection", () =>
    Effect.gen(function* () {
      const { append } = yield* WriteSession
      const sql = yield* SqlClient
      const behind = (before: string, name: string) =>
        Effect.exit(
          append(sql`
            WITH certain AS MATERIALIZED (
              SELECT 1 / (SELECT count(*) FROM steps WHERE name = ${before})::integer AS one)
            INSERT INTO steps (name) SELECT ${name} FROM certain`)
        )
      yield* append(sql`INSERT INTO steps (name) VALUES ('row/0')`)
      const sent = [
        behind("row/0", "row/1"),
        behind("row/none", "row/2"),
        behind("row/2", "row/3"),
        behind("row/1", "row/4")
      ]
      const outdated = Exit.fail(new Outdated())
      expect(yield* Effect.all(sent, { concurrency: "unbounded" })).toEqual([Exit.void, outdated, outdated, Exit.void])
      expect(yield* written("row/")).toEqual(["row/0", "row/1", "row/4"])
    }).pipe(Effect.provide(WriteSession.layer))
  )
})
