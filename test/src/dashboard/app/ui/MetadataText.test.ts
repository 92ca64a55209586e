import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { mergedMetadata } from "../../../../../engine/metadata/Metadata.ts"
import { metadataChange, metadataText, readMetadata } from "../../../../../src/dashboard/app/ui/MetadataText.ts"
import { property } from "../../../../lib/Property.ts"

const word = fc.stringMatching(/^[a-z0-9é](?:[a-z0-9é ]{0,8}[a-z0-9é])?$/)
const metadata = fc.dictionary(word, fc.oneof(word, fc.constant("a: b")), { maxKeys: 5, noNullPrototype: true })

describe("MetadataText", () => {
  it("is read as what was written", () => {
    fc.assert(
      fc.property(metadata, (kept) => {
        expect(readMetadata(metadataText(kept))).toEqual(kept)
      }),
      property()
    )
    expect(readMetadata("\n shelf : 7 \n\n")).toEqual({ shelf: "7" })
  })

  it("is nothing where a line says no pair, or a key comes twice", () => {
    expect(["shelf", ": 7", "shelf:", "a: 1\na: 2"].map(readMetadata)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  it("changes one into the other", () => {
    fc.assert(
      fc.property(metadata, metadata, (before, after) => {
        const merged = Result.getOrThrow(mergedMetadata(before, metadataChange(before, after)))
        expect(merged).toEqual(after)
      }),
      property()
    )
  })
})
