import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { zstdDecompressSync } from "node:zlib"
import { MAX_ENTRY_BYTES } from "../../../engine/journal/JournalRow.ts"
import { MAX_STORED_BYTES } from "../../../src/database/migrations/0058_long_entries.ts"
import { pack, unpack } from "../../../src/database/PackedText.ts"
import { property } from "../../lib/Property.ts"

const text = fc
  .tuple(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 400 }))
  .map(([part, times]) => `x${part.repeat(times)}`.toWellFormed())

describe("packed texts", () => {
  it("are read again", () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(unpack(pack(one))).toBe(one)
      }),
      property()
    )
  })

  it("are those of 2,000 characters and more, as anybody can read them", () => {
    const short = "é".repeat(1_999)
    expect(pack(short)).toBe(short)
    const long = "é".repeat(2_000)
    expect(pack(long)).toMatch(/^\t[A-Za-z0-9+/]+=*$/)
    expect(pack(long).length).toBeLessThan(100)
    expect(zstdDecompressSync(Buffer.from(pack(long).slice(1), "base64")).toString()).toBe(long)
  })

  it("are within the table's bound however long an entry is, and however badly it packs", () => {
    // Seven random bits a byte leave nothing to pack.
    const worst = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)).map((byte) => byte & 0x7f)).toString()
    const { length } = pack(worst)
    expect(length).toBeGreaterThan(worst.length)
    expect((length / worst.length) * MAX_ENTRY_BYTES).toBeLessThan(MAX_STORED_BYTES)
  })

  it.each(["", "[]", "\tAAAA", `${pack("a".repeat(2_000))} `, `\t ${pack("a".repeat(2_000)).slice(1)}`])(
    "leave %j as it is, which is none",
    (stored) => {
      expect(unpack(stored)).toBe(stored)
    }
  )
})
