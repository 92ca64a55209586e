import { describe, expect, it } from "bun:test"
import { Option, Schema } from "effect"
import { MetadataChange, MetadataFilter, NewMetadata } from "../../../src/api/Metadata.ts"
import { EmailAddress, lines, text } from "../../../src/api/Text.ts"

const SEALED = `sealed:v1:cmp_${"a".repeat(24)}:AAAA`

const isTaken = (schema: Schema.Decoder<unknown>, value: unknown): boolean =>
  Option.isSome(Schema.decodeUnknownOption(schema)(value))

describe("A text of a request", () => {
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
