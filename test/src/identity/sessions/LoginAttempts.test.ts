import { describe, expect } from "bun:test"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { delayAfter, LoginAttempts } from "../../../../src/identity/sessions/LoginAttempts.ts"
import { CurrentLane } from "../../../../src/identity/sessions/HashingTurns.ts"
import { SignInPlaces } from "../../../../src/identity/sessions/SignInPlaces.ts"
import { interruptedAfter, itEffect } from "../../../lib/Effects.ts"

const places = Layer.sync(SignInPlaces, () => {
  const noted = new Set<string>()
  return SignInPlaces.of({
    has: (account, address) => Effect.sync(() => noted.has(`${account} ${address}`)),
    note: (account, address) => Effect.sync(() => void noted.add(`${account} ${address}`))
  })
})

const attempts = Layer.provide(LoginAttempts.layer, places)

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
    }).pipe(Effect.provide(attempts))
  )

  itEffect("are forgotten by success, and after a quiet hour", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(times(4), () => guess("a", "1"))
      expect(yield* guess("a", "1", true)).toBe("in")
      yield* Effect.forEach(times(5), () => guess("a", "1"))
      expect(yield* wait("a", "1")).toBe(1)
      yield* TestClock.adjust("61 minutes")
      expect(yield* guess("a", "1", true)).toBe("in")
    }).pipe(Effect.provide(attempts))
  )

  itEffect("on many accounts delay their address, and nobody else", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(times(20), (index) => guess(`account ${index}`, "1"))
      expect(yield* wait("someone", "1")).toBe(1)
      expect(yield* guess("someone", "2", true)).toBe("in")
    }).pipe(Effect.provide(attempts))
  )

  itEffect("that are interrupted, wherever they are then, are no longer under way", () =>
    Effect.gen(function* () {
      const { attempt } = yield* LoginAttempts
      yield* Effect.forEach(times(6), () => guess("a", "1"), { discard: true }).pipe(Effect.ignore)
      yield* TestClock.adjust("61 seconds")
      for (const turns of times(40)) yield* interruptedAfter(turns, attempt("a", "1", Effect.never))
      expect(yield* guess("a", "1", true)).toBe("in")
    }).pipe(Effect.provide(attempts))
  )

  itEffect("that could not be decided do not count", () =>
    Effect.gen(function* () {
      const { attempt } = yield* LoginAttempts
      yield* Effect.forEach(times(50), () => Effect.exit(attempt("a", "1", Effect.fail("busy"))))
      expect(Exit.isSuccess(yield* Effect.exit(guess("a", "1")))).toBe(true)
    }).pipe(Effect.provide(attempts))
  )

  itEffect("of strangers delay nobody where the account's owner was seen, and are slowed down there too", () =>
    Effect.gen(function* () {
      expect(yield* guess("ada", "home", true)).toBe("in")
      yield* Effect.forEach(times(30), (index) => Effect.exit(guess("ada", `bot ${index}`)))
      expect(yield* wait("ada", "cafe")).toBe(1)
      expect(yield* guess("ada", "home", true)).toBe("in")
      yield* Effect.forEach(times(40), (index) => Effect.exit(guess(`account ${index}`, "home")))
      expect(yield* wait("someone", "home")).toBe(1)
      expect(yield* guess("ada", "home", true)).toBe("in")
      yield* Effect.forEach(times(5), () => guess("ada", "home"))
      expect(yield* wait("ada", "home")).toBe(1)
    }).pipe(Effect.provide(attempts))
  )

  itEffect("come one at a time once they cost something", () =>
    Effect.gen(function* () {
      const { attempt } = yield* LoginAttempts
      yield* Effect.forEach(times(5), (index) => guess("a", `${index}`))
      yield* TestClock.adjust("1 second")
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(attempt("a", "8", Effect.as(Deferred.await(gate), undefined)))
      yield* Effect.yieldNow
      expect(yield* wait("a", "9")).toBe(1)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      expect(yield* wait("a", "9")).toBe(2)
    }).pipe(Effect.provide(attempts))
  )

  itEffect("without an account count for their address, and forgiveness for the account", () =>
    Effect.gen(function* () {
      const { attempt, forgive } = yield* LoginAttempts
      yield* Effect.forEach(times(20), () => attempt(undefined, "1", Effect.undefined))
      expect(yield* wait("anybody", "1")).toBe(1)
      yield* Effect.forEach(times(5), () => guess("Ada", "2"))
      expect(yield* wait("ada", "2")).toBe(1)
      yield* forgive("ADA")
      expect(yield* guess("ada", "2", true)).toBe("in")
    }).pipe(Effect.provide(attempts))
  )

  itEffect("have the password hashed in the lane of where they come from", () =>
    Effect.gen(function* () {
      const { attempt } = yield* LoginAttempts
      const lane = (account: string, address: string) => attempt(account, address, CurrentLane)
      yield* guess("ada", "home", true)
      expect([yield* lane("ada", "home"), yield* lane("ada", "cafe")]).toEqual(["known", "fresh"])
      yield* guess("bob", "bar")
      expect([yield* lane("carol", "bar"), yield* lane("bob", "street")]).toEqual(["failing", "fresh"])
      yield* guess("bob", "home")
      // Within a login for a client, the person's own place counts.
      const inner = attempt("client shop", "home", attempt("eve", "home", CurrentLane))
      yield* guess("client shop", "home", true)
      expect([yield* inner, yield* lane("client shop", "home")]).toEqual(["failing", "known"])
    }).pipe(Effect.provide(attempts))
  )

  itEffect("never wait longer than a quarter of an hour", () =>
    Effect.sync(() => {
      expect(delayAfter("address", 1_000_000)).toBe(900_000)
      expect(delayAfter("account", 1_000_000)).toBe(60_000)
    })
  )
})
