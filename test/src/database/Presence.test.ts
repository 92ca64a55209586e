import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { Presence } from "../../../src/database/Presence.ts"
import { itEffect } from "../../lib/Effects.ts"

const refused = new SqlError({ reason: new ConnectionError({ cause: new Error("refused"), message: "refused" }) })

/** A database that answers, refuses or says nothing, as the test has it. */
const make = Effect.gen(function* () {
  const database: { state: "there" | "refusing" | "silent"; looks: number } = { state: "there", looks: 0 }
  const look = Effect.suspend((): Effect.Effect<void, SqlError> => {
    database.looks += 1
    if (database.state === "silent") return Effect.never
    return database.state === "there" ? Effect.void : Effect.fail(refused)
  })
  return { database, presence: new Presence(look, yield* Effect.scope) }
})

describe("the presence of the database", () => {
  itEffect("is not doubted for one slow statement", () =>
    Effect.gen(function* () {
      const { database, presence } = yield* make
      yield* presence.doubt
      yield* presence.doubt
      expect([presence.isAway, database.looks]).toEqual([false, 2])
      yield* TestClock.adjust("1 minute")
      expect(database.looks).toBe(2)
    })
  )

  for (const state of ["refusing", "silent"] as const) {
    itEffect(`ends where it is ${state}, and comes back by itself`, () =>
      Effect.gen(function* () {
        const { database, presence } = yield* make
        database.state = state
        yield* Effect.all(Array.from({ length: 100 }, () => presence.doubt))
        expect(database.looks).toBe(1)
        yield* TestClock.adjust("1 second")
        expect(presence.isAway).toBe(true)
        yield* TestClock.adjust("1 minute")
        expect(presence.isAway).toBe(true)
        // One at a time, however many doubt.
        expect(database.looks).toBeLessThan(250)
        database.state = "there"
        yield* TestClock.adjust("2 seconds")
        expect(presence.isAway).toBe(false)
        const { looks } = database
        yield* TestClock.adjust("1 minute")
        expect(database.looks).toBe(looks)
      })
    )
  }
})
