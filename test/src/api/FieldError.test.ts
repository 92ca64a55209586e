import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { namedIn, sentenceOf } from "../../../src/api/FieldError.ts"

/** A caller may send any key, such as of metadata. */
const key = fc.oneof(
  fc.stringMatching(/^[a-z_0-9-]+$/),
  fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes(": Expected "))
)

const field = fc
  .tuple(fc.constantFrom("payload", "query", "path", "headers"), fc.array(key))
  .map(([place, path]) => [place, ...path].join("."))

describe("A message about a field", () => {
  it("tells the field and what it takes", () => {
    const about = fc.record({ field, expected: fc.stringMatching(/^[a-z][ -~\n]*$/) })
    fc.assert(
      fc.property(about, (error) => expect(namedIn(sentenceOf(error))).toEqual([error])),
      { examples: [[{ field: "payload.metadata. ", expected: "string" }]] }
    )
    expect(namedIn("payload.kind: Send one of the kinds")).toEqual([
      { field: "payload.kind", expected: "Send one of the kinds" }
    ])
  })

  it("is none where the message begins with no place", () => {
    for (const message of ["There is no such order.", "Payload: Expected x", "payload.a Expected x", "query.a:", ""]) {
      expect(namedIn(message)).toEqual([])
    }
  })
})
