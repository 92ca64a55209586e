import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { createHash } from "node:crypto"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { property } from "../../lib/Property.ts"

const hashed = (previous: Uint8Array, data: string): string =>
  createHash("sha256").update(previous).update(data, "utf8").digest("hex")

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

describe("ChainLink", () => {
  it("hashes the previous hash and the UTF-8 of the event", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.string().map((part) => part + "\ud800")
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), text, (previous, data) => {
        expect(hex(link(previous, data))).toBe(hashed(previous, data))
      }),
      property()
    )
  })

  it.each([8_191, 8_192, 8_193, 100_000])("hashes %d characters of any width", (length) => {
    for (const character of ["a", "é", "€", "\ud83d"]) {
      const data = character.repeat(length)
      expect(hex(link(GENESIS, data))).toBe(hashed(GENESIS, data))
    }
    const pairs = "😀".repeat(length)
    expect(hex(link(GENESIS, pairs))).toBe(hashed(GENESIS, pairs))
  })

  it("leaves a hash that it gave as it is", () => {
    const first = link(GENESIS, "first")
    const before = hex(first)
    link(first, "second")
    expect(hex(first)).toBe(before)
  })
})
