import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { namesTag, rangeOf } from "../../../src/http/ByteRange.ts"
import { property } from "../../lib/Property.ts"

const size = fc.integer({ min: 1, max: 1_000 })
const place = fc.nat(1_200)

describe("rangeOf", () => {
  it("takes the bytes that exist, from both ends alike", () => {
    fc.assert(
      fc.property(size, place, place, (all, one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)]
        const numbers = Array.from({ length: all }, (_, index) => index)
        const bytesOf = (header: string) => {
          const range = rangeOf(header, all)
          return range === undefined || range === "unsatisfiable" ? [] : numbers.slice(range.from, range.end)
        }
        expect(bytesOf(`bytes=${first}-${last}`)).toEqual(numbers.slice(first, last + 1))
        expect(bytesOf(`bytes=${first}-`)).toEqual(numbers.slice(first))
        expect(bytesOf(`bytes=-${last}`)).toEqual(last === 0 ? [] : numbers.slice(-last))
      }),
      property()
    )
  })

  it("asks for all where it is not served, and for nothing beyond the end", () => {
    for (const header of [undefined, "", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=x-"]) {
      expect(rangeOf(header, 10)).toBeUndefined()
    }
    for (const header of ["bytes=10-", "bytes=10-20", "bytes=-0"]) expect(rangeOf(header, 10)).toBe("unsatisfiable")
  })
})

describe("namesTag", () => {
  it("finds a tag among others, weak ones and all", () => {
    for (const header of ['"a"', '"b", "a"', 'W/"a"', "*"]) expect(namesTag(header, '"a"')).toBe(true)
    for (const header of [undefined, "", "a", '"ab"', '"b"']) expect(namesTag(header, '"a"')).toBe(false)
  })
})
