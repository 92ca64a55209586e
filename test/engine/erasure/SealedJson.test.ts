import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { sealedInJson, sealedInStrings, withOpenedJson, withOpenedStrings } from "../../../engine/erasure/SealedJson.ts"
import { sealedIn, withOpened } from "../../../engine/erasure/SealedText.ts"
import { property } from "../../lib/Property.ts"

const sealedOf = (box: string): string => `sealed:v1:cmp_${"a".repeat(24)}:${box}`

/** Texts that look like JSON, and sealed ones, of which some can be read. */
const typed = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("{", '"', '":"', '\\"', '{"', '"}', "\\", ",", `x${sealedOf("x")}`),
  fc.constantFrom("a", "b", "c", "d").map(sealedOf)
)
const opened = new Map(["a", "b", "c"].map((box) => [sealedOf(box), `${box}"{:`]))

const key = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a", "b", "c", "d").map(sealedOf))
const metadata = fc.dictionary(
  key.filter((one) => one !== "__proto__"),
  typed,
  { maxKeys: 5 }
)
const plainKey = fc.constantFrom("n", "o", "p", "{")
const object = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    typed,
    fc.integer(),
    fc.constant(null),
    metadata,
    fc.array(tie("value")),
    fc.dictionary(plainKey, tie("value"))
  )
})).value

describe("JSON with sealed texts", () => {
  it("is opened as its value is", () => {
    fc.assert(
      fc.property(object, (value) => {
        const json = JSON.stringify(value)
        expect([...sealedInJson(json)].toSorted()).toEqual([...sealedIn(value)].toSorted())
        expect(withOpenedJson(json, opened, "erased")).toBe(JSON.stringify(withOpened(value, opened, "erased")))
      }),
      property()
    )
  })

  it("keeps numbers as they are written, and what is JSON in a string", () => {
    const inner = JSON.stringify({ [sealedOf("a")]: sealedOf("b") })
    const json = `{"big":12345678901234567890,"exact":1.50,"text":${JSON.stringify(inner)},"own":${inner}}`
    expect(withOpenedJson(json, opened, "erased")).toBe(
      json.replace(inner, JSON.stringify(withOpened(JSON.parse(inner), opened, "erased")))
    )
  })

  it("is opened in a string where that is asked for", () => {
    const value = { after: { address: JSON.stringify({ street: sealedOf("a"), city: sealedOf("d"), country: "BE" }) } }
    expect([...sealedInStrings(value)].toSorted()).toEqual([sealedOf("a"), sealedOf("d")])
    expect(withOpenedStrings(value, opened, null)).toEqual({
      after: { address: JSON.stringify({ street: 'a"{:', city: null, country: "BE" }) }
    })
  })
})
