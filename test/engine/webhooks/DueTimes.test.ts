import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { DueTimes } from "../../../engine/webhooks/DueTimes.ts"
import { property } from "../../lib/Property.ts"

const ids = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h")

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ id: ids, at: fc.nat(50) }) },
    { weight: 1, arbitrary: fc.record({ now: fc.nat(50) }) }
  ),
  { maxLength: 60, size: "max" }
)

/** The same by looking at all of them. */
class NaiveTimes {
  readonly times = new Map<string, number>()

  next(): number | undefined {
    return this.times.size === 0 ? undefined : Math.min(...this.times.values())
  }

  enter(id: string, at: number): boolean {
    const before = this.next()
    if ((this.times.get(id) ?? Infinity) <= at) return false
    this.times.set(id, at)
    return at < (before ?? Infinity)
  }

  take(now: number): ReadonlyArray<string> {
    const due = [...this.times].filter(([, at]) => at <= now)
    for (const [id] of due) this.times.delete(id)
    return due.map(([id]) => id)
  }
}

describe("due times", () => {
  it("tell the earliest, and give each once when it is due", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const times = new DueTimes()
        const naive = new NaiveTimes()
        for (const step of list) {
          if ("id" in step) expect(times.enter(step.id, step.at)).toBe(naive.enter(step.id, step.at))
          else expect(times.take(step.now).toSorted()).toEqual([...naive.take(step.now)].toSorted())
          expect(times.next()).toBe(naive.next())
          expect(times.size).toBe(naive.times.size)
        }
      }),
      property()
    )
  })

  it("give the earliest first", () => {
    const times = new DueTimes()
    for (const [id, at] of [
      ["a", 5],
      ["b", 1],
      ["c", 9],
      ["d", 3],
      ["a", 2]
    ] as const)
      times.enter(id, at)
    expect(times.take(5)).toEqual(["b", "a", "d"])
    expect(times.take(5)).toEqual([])
    expect(times.next()).toBe(9)
  })
})
