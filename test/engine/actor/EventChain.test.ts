import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { encodeEvent, fromHex, GENESIS, isSameHash, toHex } from "../../../engine/actor/EventChain.ts"
import { property } from "../../lib/Property.ts"

describe("EventChain", () => {
  it("writes an event's fields in their order, and bigints as decimal strings", () => {
    expect(encodeEvent({ b: 1, a: -12345678901234567890n, c: [2n, null], d: { z: true } })).toBe(
      '{"b":1,"a":"-12345678901234567890","c":["2",null],"d":{"z":true}}'
    )
  })

  it("writes what JSON writes of everything else", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (event) => {
        expect(encodeEvent(event)).toBe(JSON.stringify(event))
      }),
      property()
    )
  })

  it("begins with 32 zero bytes", () => {
    expect(toHex(GENESIS)).toBe("00".repeat(32))
  })

  it("writes bytes as two lower-case hexadecimal digits each", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const hex = Buffer.from(bytes).toString("hex")
        expect(toHex(bytes)).toBe(hex)
        expect(fromHex(hex)).toEqual(Uint8Array.from(bytes))
        expect(toHex(Object.defineProperty(bytes, "toHex", { value: undefined }))).toBe(hex)
      }),
      property()
    )
  })

  it("tells hashes apart by any of their bytes, and by their length", () => {
    expect(isSameHash(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3))).toBe(true)
    for (const other of [[0, 2, 3], [1, 2, 4], [1, 2], [1, 2, 3, 0], []]) {
      expect(isSameHash(Uint8Array.of(1, 2, 3), Uint8Array.from(other))).toBe(false)
    }
  })
})
