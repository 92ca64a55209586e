import { describe, expect } from "bun:test"
import { Effect, Fiber, Latch } from "effect"
import {
  CurrentLane,
  type HashingLane,
  HashingTurns,
  MAX_PENDING
} from "../../../../src/identity/sessions/HashingTurns.ts"
import { itEffect } from "../../../lib/Effects.ts"

/** Turns for one stranger at once, and who began in which order; each takes until the test lets it end. */
const taking = () => {
  const turns = new HashingTurns(1)
  const begun: Array<string> = []
  const gates = new Map<string, Latch.Latch>()
  const take = (lane: HashingLane, name: string) => {
    const gate = Latch.makeUnsafe(false)
    gates.set(name, gate)
    const work = Effect.andThen(
      Effect.sync(() => void begun.push(name)),
      gate.await
    )
    return Effect.provideService(turns.take(work), CurrentLane, lane)
  }
  const end = (name: string) =>
    Effect.andThen(
      Effect.sync(() => gates.get(name)?.openUnsafe()),
      Effect.yieldNow
    )
  /** A turn is not cut short: whoever has begun has to end before the test does. */
  const over = Effect.sync(() => {
    for (const gate of gates.values()) gate.openUnsafe()
  })
  return { begun, end, over, take }
}

const settled = Effect.forEach(Array.from({ length: 5 }), () => Effect.yieldNow, { discard: true })

describe("HashingTurns", () => {
  itEffect("let the known begin beside any crowd, and the fresh before those that failed", () =>
    Effect.gen(function* () {
      const { begun, end, over, take } = taking()
      for (const [lane, name] of [
        ["failing", "a"],
        ["failing", "b"],
        ["fresh", "c"],
        ["known", "d"],
        ["known", "e"]
      ] as const) {
        yield* Effect.forkChild(take(lane, name))
        yield* settled
      }
      expect(begun).toEqual(["a", "d"])
      yield* end("d")
      yield* settled
      expect(begun).toEqual(["a", "d", "e"])
      yield* end("a")
      yield* settled
      yield* end("c")
      yield* settled
      expect(begun).toEqual(["a", "d", "e", "c", "b"])
      yield* over
    })
  )

  itEffect("refuse what is too much for one lane, and no other lane for it", () =>
    Effect.gen(function* () {
      const { begun, over, take } = taking()
      for (let index = 0; index < MAX_PENDING; index++) yield* Effect.forkChild(take("fresh", `${index}`))
      yield* settled
      expect(yield* Effect.flip(take("fresh", "more"))).toMatchObject({ _tag: "PasswordsBusy" })
      yield* Effect.forkChild(take("known", "owner"))
      yield* settled
      expect(begun).toEqual(["0", "owner"])
      yield* over
    })
  )

  itEffect("give the place of one that left while it waited to the next", () =>
    Effect.gen(function* () {
      const { begun, end, over, take } = taking()
      const fibers = yield* Effect.forEach(["a", "b", "c"], (name) => Effect.forkChild(take("fresh", name)))
      yield* settled
      yield* Fiber.interrupt(fibers[1]!)
      yield* end("a")
      yield* settled
      expect(begun).toEqual(["a", "c"])
      yield* end("c")
      yield* settled
      yield* Effect.forkChild(take("fresh", "d"))
      yield* settled
      expect(begun).toEqual(["a", "c", "d"])
      yield* over
    })
  )
})
