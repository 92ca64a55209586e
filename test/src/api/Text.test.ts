import { describe, expect, it } from "bun:test"
import { Cause, Exit, Option, Schema } from "effect"
import * as fc from "fast-check"
import { MetadataChange, MetadataFilter, NewMetadata } from "../../../src/api/Metadata.ts"
import { EmailAddress, lines, text, WHOLE } from "../../../src/api/Text.ts"
import { property } from "../../lib/Property.ts"

const SEALED = `sealed:v1:cmp_${"a".repeat(24)}:AAAA`

const isTaken = (schema: Schema.Decoder<unknown>, value: unknown): boolean =>
  Option.isSome(Schema.decodeUnknownOption(schema)(value))

const sentenceOf = (schema: Schema.Decoder<unknown>, value: unknown): string => {
  const exit = Schema.decodeUnknownExit(schema, { errors: "all" })(value)
  return Exit.isSuccess(exit) ? "taken" : String(Cause.squash(exit.cause))
}

describe("A text of a request", () => {
  it("is refused with a half of a surrogate pair, by a sentence that says so alone", () => {
    const texts = [text(1, 2), lines(1, 2), text(0, 2)]
    const kept = [Schema.Struct({ metadata: NewMetadata }), Schema.Struct({ metadata: MetadataChange })]
    const halves = fc.tuple(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("\ud83d", "\ude00"),
      fc.nat(20)
    )
    fc.assert(
      fc.property(halves, ([around, half, at]) => {
        const broken = around.slice(0, at) + half + around.slice(at)
        fc.pre(!broken.isWellFormed())
        for (const schema of texts) expect(sentenceOf(schema, broken)).toBe(`SchemaError(Expected ${WHOLE})`)
        for (const schema of kept) {
          for (const metadata of [{ key: broken }, { [broken]: "value" }]) {
            expect(sentenceOf(schema, { metadata })).toContain(WHOLE)
            expect(sentenceOf(schema, { metadata })).not.toContain("characters without")
          }
        }
      }),
      property()
    )
    for (const schema of texts) expect(sentenceOf(schema, "\u{1f600}")).toBe("taken")
    for (const schema of kept) expect(sentenceOf(schema, { metadata: { "\u{1f600}": "\u{1f600}" } })).toBe("taken")
  })

  it("has nothing in it that could be taken for a sealed one, wherever it stands", () => {
    for (const typed of [SEALED, `see ${SEALED}`, `{"a":"${SEALED}"}`, "sealed:v1:"]) {
      expect(isTaken(text(1, 200), typed)).toBe(false)
      expect(isTaken(lines(1, 200), `a\n${typed}`)).toBe(false)
      expect(isTaken(Schema.Struct({ metadata: NewMetadata }), { metadata: { key: typed } })).toBe(false)
      expect(isTaken(Schema.Struct({ metadata: MetadataChange }), { metadata: { key: typed } })).toBe(false)
      expect(isTaken(Schema.Struct({ metadata: MetadataFilter }), { metadata: `key:${typed}` })).toBe(false)
    }
    expect(isTaken(EmailAddress, `${SEALED}@example.com`)).toBe(false)
    for (const typed of ["sealed", "sealed: v1", "sealed:v2:x"]) {
      expect(isTaken(text(1, 200), typed)).toBe(true)
      expect(isTaken(Schema.Struct({ metadata: NewMetadata }), { metadata: { key: typed } })).toBe(true)
    }
    expect(isTaken(EmailAddress, "sealed@example.com")).toBe(true)
  })
})
