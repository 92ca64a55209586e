import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { dropReferences, keepReferences, type Reference } from "../../../src/database/References.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const itKeeps = withLayer(TestDatabase.emptyLayer)

const REFERENCES: ReadonlyArray<Reference> = [
  { column: "giver", table: "people", key: "id" },
  { column: "taker", table: "people", key: "id" },
  { column: "day", table: "days", key: "number" }
]

const statements = Effect.fnUntraced(function* (some: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  yield* Effect.forEach(some, (statement) => sql.unsafe(statement), { discard: true })
})

let made = false

/** Three people, two days, and presents of one to another. */
const start = Effect.gen(function* () {
  if (!made) {
    yield* statements([
      "CREATE TABLE people (id text PRIMARY KEY, age integer)",
      "CREATE TABLE days (number bigint PRIMARY KEY)",
      "CREATE TABLE presents (giver text, taker text, day bigint NOT NULL)",
      ...keepReferences("presents", REFERENCES)
    ])
    made = true
  }
  yield* statements([
    "DELETE FROM presents",
    "DELETE FROM people",
    "DELETE FROM days",
    "INSERT INTO people VALUES ('ann', 1), ('bob', 2), ('cat', 3)",
    "INSERT INTO days VALUES (1), (2)"
  ])
})

/** `done`, or why the database refused it, on a connection of its own. */
const outcome = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient
  const exit = yield* Effect.exit(sql.withTransaction(sql.unsafe(statement)))
  return Exit.isSuccess(exit)
    ? "done"
    : /a row of presents names one|rows of presents name/.exec(String(exit.cause))?.[0]
})

describe("References", () => {
  itKeeps("refuse rows that name something that is not there, whichever of the rows and columns it is", () =>
    Effect.gen(function* () {
      yield* start
      const rows = ["('ann', 'bob', 1)", "('bob', 'cat', 2)", "(NULL, 'ann', 1)"]
      expect(yield* outcome(`INSERT INTO presents VALUES ${rows.join(", ")}`)).toBe("done")
      for (const broken of ["('dan', 'bob', 1)", "('ann', 'dan', 1)", "('ann', 'bob', 3)", "('dan', NULL, 1)"]) {
        const several = [...rows, broken, ...rows].join(", ")
        expect(yield* outcome(`INSERT INTO presents VALUES ${several}`)).toBe("a row of presents names one")
      }
      expect(yield* outcome("UPDATE presents SET taker = 'dan'")).toBe("a row of presents names one")
      expect(yield* outcome("UPDATE presents SET taker = 'cat'")).toBe("done")
      const sql = yield* SqlClient
      expect(yield* sql`SELECT giver, taker, day FROM presents ORDER BY giver NULLS LAST`).toEqual([
        { giver: "ann", taker: "cat", day: 1n },
        { giver: "bob", taker: "cat", day: 2n },
        { giver: null, taker: "cat", day: 1n }
      ])
    })
  )

  itKeeps("refuse to remove or rename what is named, and nothing else", () =>
    Effect.gen(function* () {
      yield* start
      yield* outcome("INSERT INTO presents VALUES ('ann', 'bob', 1)")
      for (const removal of [
        "DELETE FROM people WHERE id = 'ann'",
        "DELETE FROM people WHERE id = 'bob'",
        "DELETE FROM people",
        "UPDATE people SET id = 'eve' WHERE id = 'bob'",
        "DELETE FROM days WHERE number = 1",
        "UPDATE days SET number = number + 10"
      ]) {
        expect(yield* outcome(removal)).toBe("rows of presents name")
      }
      for (const harmless of [
        "UPDATE people SET age = age + 1",
        "UPDATE people SET id = id",
        "DELETE FROM people WHERE id = 'cat'",
        "DELETE FROM days WHERE number = 2",
        "DELETE FROM presents",
        "DELETE FROM people"
      ]) {
        expect(yield* outcome(harmless)).toBe("done")
      }
    })
  )

  itKeeps("let neither who adds nor who removes pass the other unseen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const add = "INSERT INTO presents VALUES ('ann', 'bob', 1)"
      const remove = "DELETE FROM people WHERE id = 'bob'"
      for (const [first, second, refused] of [
        [add, remove, "rows of presents name"],
        [remove, add, "a row of presents names one"]
      ] as const) {
        yield* start
        const [isDone, mayCommit] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
        const one = yield* Effect.forkChild(
          sql.withTransaction(sql.unsafe(first).pipe(Effect.andThen(isDone.open), Effect.andThen(mayCommit.await)))
        )
        yield* isDone.await
        const other = yield* Effect.forkChild(outcome(second), { startImmediately: true })
        const waits = sql<{ waits: boolean }>`SELECT EXISTS (SELECT FROM pg_locks
          WHERE NOT granted AND relation = 'presents'::regclass) AS waits`
        while ((yield* waits)[0]?.waits !== true) yield* Effect.yieldNow
        yield* mayCommit.open
        yield* Fiber.join(one)
        expect(yield* Fiber.join(other)).toBe(refused)
      }
    })
  )

  itKeeps("are gone where they are dropped", () =>
    Effect.gen(function* () {
      yield* start
      yield* statements(dropReferences("presents", REFERENCES))
      expect(yield* outcome("INSERT INTO presents VALUES ('dan', 'dan', 9)")).toBe("done")
      expect(yield* outcome("DELETE FROM people")).toBe("done")
      yield* statements(["DELETE FROM presents", ...keepReferences("presents", REFERENCES)])
    })
  )
})
