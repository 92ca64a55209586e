import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { KeyFilter } from "../../../engine/journal/KeyFilter.ts"
import { property } from "../../lib/Property.ts"

const RETENTION = 1_000
const LONGEST = 2 * RETENTION

/** A key is said again, and some time goes on, or seems to go back. */
interface Step {
  readonly key: string
  readonly isAdded: boolean
  readonly millis: number
}

const keys = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("a", "b", "c", "d") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) }
)

const millis = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, RETENTION / 10, RETENTION / 2, RETENTION - 1, RETENTION) },
  { weight: 2, arbitrary: fc.nat(RETENTION / 2) },
  { weight: 1, arbitrary: fc.integer({ min: -RETENTION, max: 2 * RETENTION }) }
)

const steps = fc.array(fc.record({ key: keys, isAdded: fc.boolean(), millis }) satisfies fc.Arbitrary<Step>, {
  maxLength: 200
})

/** When each key was added last, and the latest time that was told. */
class NaiveKeys {
  readonly addedAt = new Map<string, number>()
  now = 0

  age(key: string): number {
    return this.now - (this.addedAt.get(key) ?? -Infinity)
  }
}

/** Plays steps, and gives each asked key's age in the model with what the filter says. */
const played = (
  filter: KeyFilter,
  given: ReadonlyArray<Step>
): ReadonlyArray<readonly [age: number, isNew: boolean]> => {
  const naive = new NaiveKeys()
  let at = 1_000_000
  return given.flatMap(({ isAdded, key, millis: passed }) => {
    at += passed
    naive.now = Math.max(naive.now, at)
    if (!isAdded) return [[naive.age(key), filter.isSurelyNew(key, at)] as const]
    filter.add(key, at)
    naive.addedAt.set(key, naive.now)
    return []
  })
}

const rebuilt = (capacity: number): KeyFilter => {
  const filter = new KeyFilter({ capacity, retention: RETENTION })
  filter.rebuilt()
  return filter
}

/** Of so many keys that were never added, how many are not said to be new. */
const unknown = (filter: KeyFilter, at: number, asked: number): number => {
  let found = 0
  for (let number = 0; number < asked; number++) if (!filter.isSurelyNew(`other ${number}`, at)) found += 1
  return found
}

describe("KeyFilter", () => {
  it("never says that a key is new which was added within the retention, however many there are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), steps, (capacity, given) => {
        for (const [age, isNew] of played(rebuilt(capacity), given)) if (isNew) expect(age).toBeGreaterThan(RETENTION)
      }),
      property()
    )
  })

  it("says what a map says but between one retention and two", () => {
    fc.assert(
      fc.property(steps, (given) => {
        for (const [age, isNew] of played(rebuilt(10_000), given)) {
          if (age <= RETENTION || age >= LONGEST) expect(isNew).toBe(age >= LONGEST)
        }
      }),
      property()
    )
  })

  it("takes an earlier time for the latest that was told", () => {
    const filter = rebuilt(100)
    filter.add("a", 2 * RETENTION)
    filter.add("b", 1)
    for (const key of ["a", "b"]) expect(filter.isSurelyNew(key, 1)).toBe(false)
    for (const key of ["a", "b"]) expect(filter.isSurelyNew(key, 3 * RETENTION)).toBe(false)
    for (const key of ["a", "b"]) expect(filter.isSurelyNew(key, 3 * RETENTION + 1)).toBe(true)
    expect(filter.isSurelyNew("a", 2 * RETENTION)).toBe(true)
  })

  it("says of no key that it is new before it was rebuilt, and has what was added before", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(keys, fc.uuid()), { minLength: 2, maxLength: 30 }),
        ([other = "", ...added]) => {
          const filter = new KeyFilter({ capacity: 10_000, retention: RETENTION })
          expect([filter.isTrusted, filter.isSurelyNew(other, 5)]).toEqual([false, false])
          for (const key of added) filter.add(key, 5)
          filter.rebuilt()
          expect([filter.isTrusted, filter.isSurelyNew(other, 5)]).toEqual([true, true])
          for (const key of added) expect(filter.isSurelyNew(key, 5)).toBe(false)
        }
      ),
      property()
    )
  })

  it("takes at most 3 of 1,000 new keys for old ones at its capacity, however the keys are spread", () => {
    const capacity = 60_000
    const asked = 20_000
    for (const part of [0, 0.3, 1]) {
      const filter = rebuilt(capacity)
      for (let number = 0; number < 3 * capacity; number++) {
        // In each retention as many as the filter is made for, all within a part of it.
        const at = Math.floor(number / capacity) * (RETENTION + 1) + ((number % capacity) / capacity) * part * RETENTION
        filter.add(`key ${number}`, at)
      }
      const at = 2 * (RETENTION + 1) + part * RETENTION
      expect(unknown(filter, at, asked)).toBeLessThanOrEqual(asked * 0.003)
      expect(unknown(filter, at + RETENTION + 1, asked)).toBe(0)
    }
  })

  it("takes more new keys for old ones beyond its capacity, and forgets again", () => {
    const filter = rebuilt(1_000)
    for (let number = 0; number < 4_000; number++) filter.add(`key ${number}`, number / 10)
    expect(unknown(filter, 400, 1_000)).toBeGreaterThan(100)
    expect(unknown(filter, 400 + RETENTION + 1, 1_000)).toBe(0)
  })

  it("tells keys apart that differ in one code unit, or in their order", () => {
    const filter = rebuilt(10_000)
    const base = "usr_1/01jd7c4k-9b1e"
    filter.add(base, 1)
    for (let index = 0; index < base.length; index++) {
      for (const unit of ["é", "\u{d800}", "0", "z"]) {
        const other = `${base.slice(0, index)}${unit}${base.slice(index + 1)}`
        expect(filter.isSurelyNew(other, 1)).toBe(other !== base)
      }
    }
    expect(filter.isSurelyNew(base.split("").toReversed().join(""), 1)).toBe(true)
    expect(filter.isSurelyNew(`${base} `, 1)).toBe(true)
  })
})
