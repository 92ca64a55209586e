import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Settings } from "../../../../src/Config.ts"
import { Unavailable } from "../../../../src/database/DatabaseError.ts"
import { type SignInPlace, SignInPlaceRepository } from "../../../../src/identity/sessions/SignInPlaceRepository.ts"
import { SignInPlaces } from "../../../../src/identity/sessions/SignInPlaces.ts"
import { itEffect } from "../../../lib/Effects.ts"

const SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

/** What is written, which outlives a start. */
const stored = () => {
  const written: Array<SignInPlace> = []
  const state = { isAway: false }
  const repository = Layer.mock(SignInPlaceRepository, {
    since: (at, limit) => Effect.sync(() => written.filter((one) => one.at >= at).slice(-limit)),
    keep: (place) =>
      Effect.suspend(() =>
        state.isAway ? Effect.fail(new Unavailable({ reason: "away" })) : Effect.sync(() => void written.push(place))
      )
  })
  const start = Effect.map(
    Layer.build(Layer.provide(SignInPlaces.layer, Layer.merge(repository, Settings.layerOf({ SECRET_KEY })))),
    (context) => SignInPlaces.pipe(Effect.provideContext(context))
  ).pipe(Effect.flatten)
  return { start, state, written }
}

describe("SignInPlaces", () => {
  itEffect("are remembered through a stop for 90 days, by the account and the address together", () =>
    Effect.gen(function* () {
      const { start, written } = stored()
      const first = yield* start
      yield* first.note("ada", "home")
      const second = yield* start
      expect(yield* second.has("ada", "home")).toBe(true)
      expect([yield* second.has("ada", "cafe"), yield* second.has("bob", "home")]).toEqual([false, false])
      expect(Buffer.from(written[0]?.place ?? []).toString("latin1")).not.toContain("home")
      yield* TestClock.adjust("91 days")
      expect(yield* second.has("ada", "home")).toBe(false)
      expect(yield* (yield* start).has("ada", "home")).toBe(false)
    })
  )

  itEffect("are written once a day, and remembered where they cannot be written", () =>
    Effect.gen(function* () {
      const { start, state, written } = stored()
      const places = yield* start
      yield* Effect.forEach([1, 2, 3], () => places.note("ada", "home"))
      expect(written.length).toBe(1)
      yield* TestClock.adjust("25 hours")
      yield* places.note("ada", "home")
      expect(written.length).toBe(2)
      state.isAway = true
      yield* places.note("ada", "cafe")
      expect([written.length, yield* places.has("ada", "cafe")]).toEqual([2, true])
    })
  )

  itEffect("are at most 16 of an account, so that one account cannot push out others", () =>
    Effect.gen(function* () {
      const places = yield* stored().start
      yield* places.note("ada", "home")
      for (let index = 0; index < 17; index++) yield* places.note("mallory", `address ${index}`)
      expect([yield* places.has("mallory", "address 0"), yield* places.has("mallory", "address 1")]).toEqual([
        false,
        true
      ])
      expect(yield* places.has("ada", "home")).toBe(true)
    })
  )
})
