import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { NameSet } from "../../../engine/simulation/NameSet.ts"

describe("NameSet", () => {
  it("is a set of strings", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.string({ maxLength: 3 })), { maxLength: 300 }), (steps) => {
        const names = new NameSet()
        const truth = new Set<string>()
        for (const [adds, name] of steps) {
          expect(names.has(name)).toBe(truth.has(name))
          if (adds) expect(names.add(name)).toBe(!truth.has(name))
          if (adds) truth.add(name)
          expect(names.size).toBe(truth.size)
        }
      })
    )
  })

  it("tells two hundred thousand ids that differ in a few digits apart", () => {
    const names = new NameSet()
    for (let index = 0; index < 200_000; index++) expect(names.add(`yield/trader/cmt_1f_${index}`)).toBe(true)
    for (let index = 0; index < 400_000; index++) {
      if (names.has(`yield/trader/cmt_1f_${index}`) !== index < 200_000) throw new Error(`wrong about ${index}`)
    }
    expect(names.size).toBe(200_000)
  })
})
