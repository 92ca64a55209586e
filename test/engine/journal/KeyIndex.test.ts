import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type KeyPages, makeKeyIndex } from "../../../engine/journal/KeyIndex.ts"
import { itEffect } from "../../lib/Effects.ts"

const DAY = 86_400_000
const NOW = 1_800_000_000_000

const answer = (key: string, seq: number) => ({ key, seq, fingerprint: "f", status: 200, body: `{"seq":${seq}}` })

/** Pages of two keys, the first `failures` of which are not answered. */
const pagesOf = (keys: Readonly<Record<string, number>>, failures = 0): KeyPages<string> => {
  let left = failures
  return (after, since) =>
    left-- > 0
      ? Effect.fail("away")
      : Effect.succeed(
          Object.entries(keys)
            .filter(([key, at]) => key > after && at > since)
            .slice(0, 2)
            .map(([key, at]) => ({ key, at: BigInt(at) }))
        )
}

const USED = { a: NOW - 1, b: NOW - 2, c: NOW - 2 * DAY, d: NOW - 3 }

describe("KeyIndex", () => {
  itEffect("knows which keys of the last 24 hours were never used, those of before its start included", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const index = yield* makeKeyIndex(pagesOf(USED))
      expect(index.isSurelyNew("c", NOW)).toBe(false)
      yield* TestClock.adjust(1)
      expect(Object.keys(USED).filter((key) => index.isSurelyNew(key, NOW))).toEqual(["c"])
      index.note("e", NOW)
      expect(index.isSurelyNew("e", NOW)).toBe(false)
    })
  )

  itEffect("calls a request's name new unless it is sent again just now, and counts none", () =>
    Effect.gen(function* () {
      const index = yield* makeKeyIndex(pagesOf({}, 2))
      index.note("@1/a/1", NOW)
      expect(index.isSurelyNew("@1/a/1", NOW)).toBe(true)
      index.sentAgain.add("@1/a/1")
      expect(["@1/a/1", "@1/a/2"].map((name) => index.isSurelyNew(name, NOW))).toEqual([false, true])
    })
  )

  itEffect("says of no key that it is new while the keys cannot be read, and reads them again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const index = yield* makeKeyIndex(pagesOf(USED, 2))
      yield* TestClock.adjust("9 seconds")
      expect(index.isSurelyNew("new", NOW)).toBe(false)
      yield* TestClock.adjust("1 second")
      expect(["new", "a"].map((key) => index.isSurelyNew(key, NOW))).toEqual([true, false])
    })
  )

  itEffect("finds what is answered until the tables have it, and not less where it is answered again", () =>
    Effect.gen(function* () {
      const index = yield* makeKeyIndex(pagesOf({}))
      const [first, second] = [answer("a", 1), answer("a", 9)]
      index.tell([first])
      index.tell([second])
      index.settle([first])
      expect(index.find("a")).toBe(second)
      index.settle([second])
      expect(index.find("a")).toBeUndefined()
    })
  )
})
