import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import * as fc from "fast-check"
import { Readings } from "../../src/Readings.ts"
import { interruptedAfter, stepwise, wait } from "../lib/Effects.ts"
import { property } from "../lib/Property.ts"

const KEYS = ["a", "b"]

/** Turns within which every reading has begun and ended. */
const TURNS = 60

interface Reading {
  /** The changes that there had been when it began. */
  readonly begun: number
  readonly noted: Array<number>
}

/** What a reading noted when it was kept, and the last change before that. */
interface Kept extends Pick<Reading, "begun" | "noted"> {
  readonly last: number
  readonly isUnderWay: boolean
}

interface Reader {
  readonly key: string
  /** Turns before the reading, and of it. */
  readonly after: number
  readonly waits: number
  readonly fails: boolean
  /** Turns after which it is interrupted; null for never. */
  readonly interruptedAt: number | null
}

const reader: fc.Arbitrary<Reader> = fc.record({
  key: fc.constantFrom(...KEYS),
  after: fc.nat(6),
  waits: fc.nat(6),
  fails: fc.boolean(),
  interruptedAt: fc.option(fc.nat(40))
})

describe("Readings", () => {
  it("notes each change with every reading that is under way, and with none once it ended, failed or was interrupted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reader, { minLength: 1, maxLength: 8 }), (all) => {
        const readings = new Readings<Reading>()
        const begun: Array<Reading> = []
        const kept: Array<Kept> = []
        let changes = 0
        const change = Effect.sync(() => {
          changes += 1
          readings.each(({ noted }) => noted.push(changes))
        })
        const begin = (): Reading => {
          const reading = { begun: changes, noted: [] }
          begun.push(reading)
          return reading
        }
        const look = ({ after, fails, interruptedAt, key, waits }: Reader) =>
          Effect.gen(function* () {
            const read = Effect.andThen(wait(waits), fails ? Effect.fail("gone") : Effect.succeed(key))
            const reading = Effect.andThen(
              wait(after),
              readings.run(key, begin, read, (found, reading) => {
                const isUnderWay = readings.of(found).has(reading)
                kept.push({ isUnderWay, begun: reading.begun, last: changes, noted: [...reading.noted] })
              })
            )
            if (interruptedAt === null) yield* Effect.exit(stepwise(reading))
            else yield* interruptedAfter(interruptedAt, reading)
          })
        const ended = Effect.gen(function* () {
          const changing = Effect.forEach(Array.from({ length: TURNS }), () => Effect.andThen(Effect.yieldNow, change))
          yield* Effect.all([Effect.forEach(all, look, { concurrency: "unbounded" }), changing], { concurrency: 2 })
          for (const { begun, isUnderWay, last, noted } of kept) {
            expect(isUnderWay).toBe(true)
            expect(noted).toEqual(Array.from({ length: last - begun }, (_, at) => begun + 1 + at))
          }
          const before = begun.map(({ noted }) => noted.length)
          yield* change
          expect(begun.map(({ noted }) => noted.length)).toEqual(before)
          const certain = all.filter(({ fails, interruptedAt }) => !fails && interruptedAt === null).length
          expect(kept.length).toBeGreaterThanOrEqual(certain)
          expect([readings.size, ...KEYS.map((key) => readings.of(key).size)]).toEqual([0, 0, 0])
        })
        return Effect.runPromise(ended)
      }),
      property()
    )
  })

  it("tells the readings of one key from those of others", async () => {
    const readings = new Readings<string>()
    const seen = Effect.sync(() => KEYS.map((key) => [...readings.of(key)]))
    const reading = (key: string, inner: Effect.Effect<ReadonlyArray<ReadonlyArray<string>>>) =>
      readings.run(
        key,
        () => key,
        inner,
        () => {}
      )
    expect(await Effect.runPromise(reading("a", reading("b", seen)))).toEqual([["a"], ["b"]])
  })
})
