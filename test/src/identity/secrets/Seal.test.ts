import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import * as Seal from "../../../../src/identity/secrets/Seal.ts"
import { property } from "../../../lib/Property.ts"

const key = fc.uint8Array({ minLength: Seal.KEY_LENGTH, maxLength: Seal.KEY_LENGTH })
const nonce = fc.uint8Array({ minLength: Seal.NONCE_LENGTH, maxLength: Seal.NONCE_LENGTH })
const plain = fc.uint8Array({ maxLength: 200 })

describe("Seal", () => {
  it("opens what it sealed", () => {
    fc.assert(
      fc.property(key, nonce, plain, (key, nonce, plain) => {
        expect(Result.getOrThrow(Seal.open(key, "a", Seal.seal(key, nonce, "a", plain)))).toEqual(plain)
      }),
      property()
    )
  })

  it("opens nothing that was changed, cut, or sealed under another key or purpose", () => {
    fc.assert(
      fc.property(key, nonce, plain, fc.nat(), (key, nonce, plain, at) => {
        const box = Seal.seal(key, nonce, "a", plain)
        const index = at % box.length
        const changed = box.with(index, (box[index] ?? 0) ^ 1)
        const other = key.with(0, (key[0] ?? 0) ^ 1)
        expect(Result.isFailure(Seal.open(key, "a", changed))).toBe(true)
        expect(Result.isFailure(Seal.open(key, "a", box.subarray(0, index)))).toBe(true)
        expect(Result.isFailure(Seal.open(other, "a", box))).toBe(true)
        expect(Result.isFailure(Seal.open(key, "b", box))).toBe(true)
      }),
      property()
    )
  })
})
