import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { isTooDeep, MAX_DEPTH, SMALL_LENGTH } from "../../../src/http/JsonDepth.ts"
import { property } from "../../lib/Property.ts"

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

const wrapped = (value: unknown, levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner: unknown, _, level) => (level % 2 === 0 ? [inner] : { a: inner }), value)

const LONG = " ".repeat(SMALL_LENGTH)

describe("isTooDeep", () => {
  it("tells how deep any JSON nests, whatever its strings say", () => {
    const text = fc.constantFrom("[", "{", '"', "\\", '\\"', "]]]", "a")
    const value = fc.jsonValue({ stringUnit: text, maxDepth: 4 })
    fc.assert(
      fc.property(value, fc.nat(2 * MAX_DEPTH), (inner, levels) => {
        const json = wrapped(inner, levels)
        expect(isTooDeep(`${JSON.stringify(json)}${LONG}`)).toBe(depthOf(json) > MAX_DEPTH)
      }),
      property()
    )
  })

  it("takes small texts as they are, and stops at brackets without an end", () => {
    expect(isTooDeep("[".repeat(SMALL_LENGTH))).toBe(false)
    expect(isTooDeep("[".repeat(SMALL_LENGTH + 1))).toBe(true)
    expect(isTooDeep(`"${"[".repeat(SMALL_LENGTH)}`)).toBe(false)
    expect(isTooDeep(`{"a":"${"\\".repeat(SMALL_LENGTH)}"`)).toBe(false)
  })
})
