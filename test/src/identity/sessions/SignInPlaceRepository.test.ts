import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SignInPlaceRepository } from "../../../../src/identity/sessions/SignInPlaceRepository.ts"
import { withLayer } from "../../../lib/Effects.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const it = withLayer(Layer.provideMerge(SignInPlaceRepository.layer, TestDatabase.layer))

const hash = (byte: number) => new Uint8Array(32).fill(byte)

describe("SignInPlaceRepository", () => {
  it("keeps the latest of an account, in the order of their times, and drops what is too old", () =>
    Effect.gen(function* () {
      const { keep, since } = yield* SignInPlaceRepository
      const timesOf = (at: number, limit = 10) => Effect.map(since(at, limit), (found) => found.map((one) => one.at))
      const note = (account: number, place: number, at: number, before = 0) =>
        keep({ account: hash(account), place: hash(place), at }, 2, before)
      for (const [place, at] of [
        [1, 10],
        [2, 30],
        [1, 20],
        [1, 5]
      ] as const)
        yield* note(1, place, at)
      yield* note(2, 1, 15)
      expect(yield* timesOf(0)).toEqual([15, 20, 30])
      expect(yield* timesOf(0, 2)).toEqual([20, 30])
      expect(yield* timesOf(16)).toEqual([20, 30])
      yield* note(1, 3, 40)
      expect(yield* timesOf(0)).toEqual([15, 30, 40])
      yield* note(3, 1, 50, 31)
      expect(yield* timesOf(0)).toEqual([40, 50])
      expect((yield* since(50, 1))[0]).toEqual({ account: hash(3), place: hash(1), at: 50 })
    }))
})
