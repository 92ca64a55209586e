import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { changed, NO_ROWS, startsOf, type TablePart } from "../../../src/backup/TablePart.ts"
import { property } from "../../lib/Property.ts"

const part = fc.record({
  rows: fc.integer({ min: 1, max: 5 }),
  versions: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  chunk: fc.constant("c")
})

const parts = fc
  .uniqueArray(fc.tuple(fc.string(), part), { selector: ([first]) => first, maxLength: 6 })
  .map((found): ReadonlyArray<TablePart> => found.map(([first, one]) => ({ ...one, first })))

describe("The parts of a table", () => {
  it("are looked at one by one where each has a key, and there are several", () => {
    fc.assert(
      fc.property(parts, (found) => {
        expect(startsOf(found)).toEqual(found.length < 2 ? [] : found.map(({ first }) => first ?? ""))
        expect(startsOf(found.map((one, at) => (at === 0 ? { ...one, first: undefined } : one)))).toEqual([])
      }),
      property()
    )
  })

  it("changed where a print is another, and nowhere else", () => {
    fc.assert(
      fc.property(parts, fc.nat(), (found, drawn) => {
        const prints = found.length < 2 ? [found[0] ?? NO_ROWS] : [NO_ROWS, ...found]
        expect(changed(found, prints)).toEqual(prints.map(() => false))
        const at = drawn % prints.length
        const [more, other] = [
          prints.map((print, place) => (place === at ? { ...print, rows: print.rows + 1 } : print)),
          prints.map((print, place) => (place === at ? { ...print, versions: print.versions ^ 1n } : print))
        ]
        for (const now of [more, other]) expect(changed(found, now)).toEqual(prints.map((_, place) => place === at))
      }),
      property()
    )
  })
})
