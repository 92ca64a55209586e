import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { exit } from "../../src/Serving.ts"
import { itEffect } from "../lib/Effects.ts"

describe("A process in whose place another one writes", () => {
  itEffect("ends once those who wait are refused, whatever interrupts it meanwhile", () =>
    Effect.gen(function* () {
      const ends: Array<string> = []
      const end = (message: string): never => {
        ends.push(message)
        throw new Error("ended")
      }
      const ending = yield* Effect.forkChild(exit({ message: "Another one writes." }, end), { startImmediately: true })
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(ending), { startImmediately: true })
      expect(ends).toEqual([])
      yield* TestClock.adjust("100 millis")
      yield* Fiber.await(interrupting)
      expect(ends).toEqual(["Another one writes."])
    })
  )
})
