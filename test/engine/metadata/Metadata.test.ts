import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  MAX_METADATA_KEYS,
  mergedMetadata,
  type Metadata,
  type MetadataChange,
  metadataText,
  newMetadata
} from "../../../engine/metadata/Metadata.ts"
import { property } from "../../lib/Property.ts"

const key = fc.oneof(fc.constantFrom("a", "b", "campaign", "constructor"), fc.string({ minLength: 1, maxLength: 3 }))
const value = fc.oneof(fc.constantFrom("", null), fc.string({ maxLength: 3 }))
const change: fc.Arbitrary<MetadataChange> = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(key, value, { maxKeys: 30 }) },
  { weight: 1, arbitrary: fc.constant(null) }
)

describe("metadata", () => {
  it("has after any changes what a naive map has, sorted, and never too many keys", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
        let metadata: Metadata = {}
        let naive = new Map<string, string>()
        for (const one of changes) {
          const next = new Map(one === null ? [] : naive)
          for (const [name, text] of Object.entries(one ?? {})) {
            next.delete(name)
            if (text !== null && text !== "") next.set(name, text)
          }
          const merged = mergedMetadata(metadata, one)
          expect(Result.isFailure(merged)).toBe(next.size > MAX_METADATA_KEYS)
          if (Result.isFailure(merged)) continue
          naive = next
          metadata = merged.success
          expect(new Map(Object.entries(metadata))).toEqual(naive)
          expect(metadataText(metadata)).toBe(metadataText(newMetadata(metadata)))
        }
      }),
      property()
    )
  })
})
