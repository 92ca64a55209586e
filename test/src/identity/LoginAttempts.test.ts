import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { delayAfter, LoginAttempts } from "../../../src/identity/LoginAttempts.ts"
import { itEffect } from "../../lib/Effects.ts"

const guess = (account: string, address: string, right = false) =>
  Effect.flatMap(LoginAttempts, ({ attempt }) => attempt(account, address, Effect.succeed(right ? "in" : undefined)))

const wait = (account: string, address: string) =>
  Effect.map(Effect.flip(guess(account, address)), (error) => error.retryAfterSeconds)

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("LoginAttempts", () => {
  itEffect("cost nothing five times, then twice as long each time, up to a minute", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(times(5), () => guess("a@b.c", "1"))
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
        expect(yield* wait("A@B.c", "2")).toBe(seconds)
        yield* TestClock.adjust(`${seconds} seconds`)
        expect(yield* guess("a@b.c", "2")).toBeUndefined()
      }
    }).pipe(Effect.provide(LoginAttempts.layer))
  )

  itEffect("are forgotten by success, and after a quiet hour", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(times(4), () => guess("a", "1"))
      expect(yield* guess("a", "1", true)).toBe("in")
      yield* Effect.forEach(times(5), () => guess("a", "1"))
      expect(yield* wait("a", "1")).toBe(1)
      yield* TestClock.adjust("61 minutes")
      expect(yield* guess("a", "1", true)).toBe("in")
    }).pipe(Effect.provide(LoginAttempts.layer))
  )

  itEffect("on many accounts delay their address, and nobody else", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(times(20), (index) => guess(`account ${index}`, "1"))
      expect(yield* wait("someone", "1")).toBe(1)
      expect(yield* guess("someone", "2", true)).toBe("in")
    }).pipe(Effect.provide(LoginAttempts.layer))
  )

  itEffect("that could not be decided do not count", () =>
    Effect.gen(function* () {
      const { attempt } = yield* LoginAttempts
      yield* Effect.forEach(times(50), () => Effect.exit(attempt("a", "1", Effect.fail("busy"))))
      expect(Exit.isSuccess(yield* Effect.exit(guess("a", "1")))).toBe(true)
    }).pipe(Effect.provide(LoginAttempts.layer))
  )

  itEffect("never wait longer than a quarter of an hour", () =>
    Effect.sync(() => {
      expect(delayAfter("address", 1_000_000)).toBe(900_000)
      expect(delayAfter("account", 1_000_000)).toBe(60_000)
    })
  )
})
