import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { KeyedLock } from "../../../engine/actor/KeyedLock.ts"
import { itEffect } from "../../lib/Effects.ts"

/** How many work at the same time at most. */
const most = (keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const locks = new KeyedLock()
    const count = { now: 0, most: 0 }
    const work = Effect.gen(function* () {
      count.now += 1
      count.most = Math.max(count.most, count.now)
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      count.now -= 1
    })
    yield* Effect.forEach(keys, (key) => locks.with(key, work), { concurrency: "unbounded" })
    expect(locks.size).toBe(0)
    return count.most
  })

describe("KeyedLock", () => {
  itEffect("lets one at a time into each key, and keeps nothing of those that are free", () =>
    Effect.gen(function* () {
      expect(yield* most(["one", "one", "one"])).toBe(1)
      expect(yield* most(["one", "two", "three"])).toBe(3)
    })
  )

  itEffect("goes on after one that failed", () =>
    Effect.gen(function* () {
      const locks = new KeyedLock()
      expect((yield* Effect.exit(locks.with("one", Effect.fail("no"))))._tag).toBe("Failure")
      expect(yield* locks.with("one", Effect.succeed("yes"))).toBe("yes")
    })
  )
})
