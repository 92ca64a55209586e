import { describe, expect, it } from "bun:test"
import { SpreadAges } from "../../src/SpreadAges.ts"

describe("SpreadAges", () => {
  it("gives ages from half of the greatest to the greatest, of which no two of a hundred are near each other", () => {
    const ages = new SpreadAges(10_000)
    const sorted = Array.from({ length: 100 }, () => ages.next()).toSorted((one, other) => one - other)
    expect(sorted.every((age) => age > 5_000 && age <= 10_000)).toBe(true)
    const gaps = sorted.slice(1).map((age, at) => age - (sorted[at] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(15)
    expect(Math.max(...gaps)).toBeLessThan(150)
  })
})
