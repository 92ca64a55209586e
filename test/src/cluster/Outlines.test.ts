import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  fieldsOf,
  HeardOutlines,
  MAX_OUTLINE_CHARACTERS,
  MAX_OUTLINE_LINES,
  MAX_OUTLINES,
  outlineOf,
  SaidOutlines,
  valuesBy
} from "../../../src/cluster/Outlines.ts"
import { property } from "../../lib/Property.ts"

const VARYING = new Set(["x-a", "x-b"])
const name = fc.constantFrom("x-a", "x-b", "x-c", "x-d", "host")
const value = fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n\0]/.test(text))
const fields = fc.array(fc.tuple(name, value), { maxLength: 6 })

type Fields = ReadonlyArray<readonly [string, string]>

const partsOf = (given: Fields) => [given.map(([one]) => one), given.map(([, one]) => one)] as const

/** An outline with the values that it leaves open. */
const filled = (outline: string, values: ReadonlyArray<string>): Fields => {
  const left = [...values]
  return fieldsOf(outline).map(([one, fixed]) => [one, fixed ?? left.shift() ?? "none"])
}

describe("The outline of headers", () => {
  it("is that of these headers, and with their own values is them again", () => {
    fc.assert(
      fc.property(fields, fields, (given, others) => {
        const [names, values] = partsOf(given)
        const made = outlineOf(names, values, VARYING)
        expect(filled(made.outline, valuesBy(made, names, values) ?? ["none"])).toEqual(given)
        const own = valuesBy(made, ...partsOf(others))
        if (own !== undefined) expect(filled(made.outline, own)).toEqual(others)
        const isSame = outlineOf(...partsOf(others), VARYING).outline === made.outline
        expect(own !== undefined).toBe(isSame)
      }),
      property()
    )
  })

  it("is not made of a value that would be a header of its own", () => {
    for (const text of ["a\nhost:b", "a\r", "\0"]) expect(() => outlineOf(["x-c"], [text], VARYING)).toThrow(TypeError)
  })
})

describe("Outlines of a connection", () => {
  const ends = () => [new SaidOutlines(), new HeardOutlines((outline) => outline)] as const

  it("are heard as they were said, however many there are", () => {
    const known = fc.nat(MAX_OUTLINES + 500)
    fc.assert(
      fc.property(fc.array(fc.oneof(known, fc.nat(20)), { maxLength: 200 }), fc.boolean(), (asked, isFull) => {
        const [said, heard] = ends()
        const all = isFull ? [...Array.from({ length: MAX_OUTLINES + 100 }, (_, at) => at), ...asked] : asked
        for (const one of all) {
          const outline = `x-c:${one}\n`
          expect(heard.named(said.name(outline))).toBe(outline)
        }
      }),
      property()
    )
  })

  it("are said once, until so many others were", () => {
    const [said] = ends()
    expect([said.name("a\n"), said.name("b\n"), said.name("a\n"), said.name("b\n")]).toEqual(["a\n", "b\n", 1, 2])
    for (let at = 0; at < MAX_OUTLINES - 1; at += 1) said.name(`${at}\n`)
    expect([said.name("b\n"), said.name("a\n")]).toEqual([2, "a\n"])
  })

  it("that are long, or have many lines, are not kept at either end", () => {
    const [said, heard] = ends()
    const long = `x-c:${"a".repeat(MAX_OUTLINE_CHARACTERS)}\n`
    const many = "x-c:a\n".repeat(MAX_OUTLINE_LINES + 1)
    for (const outline of [long, many]) {
      for (const named of [said.name(outline), said.name(outline)]) {
        expect(named).toEqual([outline])
        expect(heard.named(named)).toBe(outline)
      }
      expect(heard.named(1)).toBeUndefined()
      expect(heard.named(outline)).toBeUndefined()
    }
    const most = "x-c:a\n".repeat(MAX_OUTLINE_LINES)
    expect(heard.named(said.name(most))).toBe(most)
    expect(said.name(most)).toBe(1)
  })

  it("are none where nobody said them, where they were forgotten, or where nothing can be made of them", () => {
    const heard = new HeardOutlines((outline) => {
      if (outline === "bad\n") throw new TypeError("bad")
      return outline
    })
    for (const said of [0, 1, -1, 1.5, null, undefined, {}, [], [1], ["a", "b"], "bad\n", ["bad\n"]]) {
      expect(heard.named(said)).toBeUndefined()
    }
    for (let at = 0; at <= MAX_OUTLINES; at += 1) heard.named(`${at}\n`)
    expect([heard.named(1), heard.named(2), heard.named(MAX_OUTLINES + 2)]).toEqual([undefined, "1\n", undefined])
  })
})
