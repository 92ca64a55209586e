import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { ResponseDeadlines } from "../../../src/webhooks/ResponseDeadlines.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("ResponseDeadlines", () => {
  itEffect("tells of each that is late at its time, and of none that left", () =>
    Effect.gen(function* () {
      const late: Array<string> = []
      const deadlines = new ResponseDeadlines<string>(yield* Clock.Clock, 100)
      yield* Effect.forkScoped(deadlines.watch((one) => void late.push(one)))
      deadlines.enter("first")
      yield* TestClock.adjust(40)
      deadlines.enter("gone")
      deadlines.enter("second")
      expect([...deadlines.open]).toEqual(["first", "gone", "second"])
      deadlines.leave("gone")
      yield* TestClock.adjust(59)
      expect(late).toEqual([])
      yield* TestClock.adjust(1)
      expect(late).toEqual(["first"])
      yield* TestClock.adjust(39)
      expect(late).toEqual(["first"])
      yield* TestClock.adjust(1)
      expect(late).toEqual(["first", "second"])
      deadlines.enter("third")
      yield* TestClock.adjust(100)
      expect(late).toEqual(["first", "second", "third"])
      expect([...deadlines.open]).toEqual([])
    })
  )
})
