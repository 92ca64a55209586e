import { describe, expect, it } from "bun:test"
import { Redacted } from "effect"
import { secretHash } from "../../src/SecretHash.ts"

const secret = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("SecretHash", () => {
  it("gives 32 bytes, the same for the same secret, purpose and label", () => {
    expect(secretHash(secret(1), "walk")("a").length).toBe(32)
    expect(hex(secretHash(secret(1), "walk")("a"))).toBe(hex(secretHash(secret(1), "walk")("a")))
  })

  it("gives others for another secret, purpose or label", () => {
    const hashes = [
      secretHash(secret(1), "walk")("a"),
      secretHash(secret(2), "walk")("a"),
      secretHash(secret(1), "order")("a"),
      secretHash(secret(1), "walk")("b"),
      secretHash(secret(1), "walka")("")
    ]
    expect(new Set(hashes.map(hex)).size).toBe(hashes.length)
  })
})
