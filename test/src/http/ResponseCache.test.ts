import { describe, expect, it } from "bun:test"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { ResponseCache, MAX_CHANGES } from "../../../src/http/ResponseCache.ts"
import { itLive, wait } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"

const MAX_AGE = 60_000

const answerOf = (...bytes: ReadonlyArray<number>) => ({ body: new Uint8Array(bytes) })

const textOf = (shown: ReadonlyArray<number>) => ({ body: new TextEncoder().encode(shown.join(",")) })

/** Four subjects that change, and pages about some of them. */
const pages = [[0], [1], [0, 1], [2, 3], [0, 1, 2, 3]]

const step = fc.oneof(
  fc.record({ what: fc.constant("look" as const), page: fc.nat(pages.length - 1), waits: fc.nat(6) }),
  fc.record({ what: fc.constant("change" as const), subject: fc.nat(3), waits: fc.nat(6) })
)

describe("ResponseCache", () => {
  it("never answers what was before a change that its maker was told of", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const cache = new ResponseCache({ maxAge: MAX_AGE })
        const stored = [0, 0, 0, 0]
        const told = [0, 0, 0, 0]
        const look = Effect.fnUntraced(function* (page: number, waits: number) {
          const subjects = pages[page] ?? []
          const least = subjects.map((subject) => told[subject] ?? 0)
          const read = Effect.gen(function* () {
            const shown = subjects.map((subject) => stored[subject] ?? 0)
            yield* wait(waits)
            return { answer: textOf(shown), about: subjects.map(String) }
          })
          const { body } = yield* cache.of(String(page), read)
          const shown = new TextDecoder().decode(body).split(",").map(Number)
          shown.forEach((version, index) => expect(version).toBeGreaterThanOrEqual(least[index] ?? 0))
        })
        const change = Effect.fnUntraced(function* (subject: number, waits: number) {
          const version = (stored[subject] ?? 0) + 1
          stored[subject] = version
          yield* wait(waits)
          cache.outdate(String(subject))
          told[subject] = Math.max(told[subject] ?? 0, version)
        })
        const all = Effect.forEach(
          steps,
          (taken) =>
            Effect.andThen(
              Effect.yieldNow,
              taken.what === "look" ? look(taken.page, taken.waits) : change(taken.subject, taken.waits)
            ),
          { concurrency: 6 }
        )
        const checked = Effect.map(all, () => {
          const { changes, readings } = cache.size
          expect({ changes, readings }).toEqual({ changes: 0, readings: 0 })
        })
        return Effect.runPromise(checked)
      }),
      { numRuns: runs() }
    )
  })

  itLive("reads once what nothing outdated, until it is too old", () =>
    Effect.gen(function* () {
      const cache = new ResponseCache({ maxAge: MAX_AGE })
      const readings: Array<number> = []
      const read = Effect.sync(() => ({ answer: answerOf(readings.push(0)), about: ["a"] }))
      const first = yield* cache.of("key", read)
      expect(yield* cache.of("key", read)).toBe(first)
      const now = yield* Clock.currentTimeMillis
      expect(cache.find("key", now + MAX_AGE - 1_000)).toBe(first)
      expect(cache.find("key", now + MAX_AGE)).toBeUndefined()
      cache.outdate("b")
      expect(cache.find("key", now)).toBe(first)
      cache.outdate("a")
      expect(yield* cache.of("key", read)).toEqual(answerOf(2))
      expect(readings).toHaveLength(2)
    })
  )

  itLive(
    "keeps nothing of a reading that fails or that too much changed during, and nothing while changes are uncertain",
    () =>
      Effect.gen(function* () {
        let isCertain = true
        const cache = new ResponseCache({ maxAge: MAX_AGE, isCertain: () => isCertain })
        const found = { answer: answerOf(1), about: ["a"] }
        yield* Effect.exit(cache.of("key", Effect.fail("gone")))
        yield* cache.of(
          "key",
          Effect.sync(() => {
            for (let other = 0; other <= MAX_CHANGES; other++) cache.outdate(`other-${other}`)
            expect(cache.size.changes).toBeLessThanOrEqual(MAX_CHANGES)
            return found
          })
        )
        isCertain = false
        yield* cache.of("key", Effect.succeed(found))
        expect(cache.size).toEqual({ answers: 0, bytes: 0, subjects: 0, readings: 0, changes: 0 })
        isCertain = true
        const now = yield* Clock.currentTimeMillis
        yield* cache.of("key", Effect.succeed(found))
        isCertain = false
        expect(cache.find("key", now)).toBeUndefined()
        isCertain = true
        expect(cache.find("key", now)).toBe(found.answer)
      })
  )

  itLive("makes room by dropping what was kept longest", () =>
    Effect.gen(function* () {
      const cache = new ResponseCache({ maxAge: MAX_AGE, maxBytes: 10_000 })
      for (let key = 0; key < 10; key++) {
        const read = Effect.succeed({ answer: { body: new Uint8Array(2_400) }, about: ["all", `one-${key}`] })
        yield* cache.of(String(key), read)
      }
      const { answers, bytes, subjects } = cache.size
      expect([answers, subjects]).toEqual([3, 4])
      expect(bytes).toBeLessThanOrEqual(10_000)
      const now = yield* Clock.currentTimeMillis
      expect(["6", "7", "9"].map((key) => cache.find(key, now) === undefined)).toEqual([true, false, false])
      cache.outdate("all")
      expect(cache.size).toEqual({ answers: 0, bytes: 0, subjects: 0, readings: 0, changes: 0 })
    })
  )
})
