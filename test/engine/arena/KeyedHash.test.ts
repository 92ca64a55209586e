import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { drawBelow, hexOf } from "../../../engine/arena/KeyedHash.ts"
import { keyed } from "../../lib/DailyRates.ts"
import { property } from "../../lib/Property.ts"

describe("KeyedHash", () => {
  it("draws inside the bound, the same for the same label", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 2 ** 32 }), (label, bound) => {
        const drawn = drawBelow(keyed("a"), label, bound)
        expect(Number.isInteger(drawn) && drawn >= 0 && drawn < bound).toBe(true)
        expect(drawBelow(keyed("a"), label, bound)).toBe(drawn)
      }),
      property()
    )
  })

  it("reads the first 48 bits, most significant first", () => {
    const hash = () => Uint8Array.from([1, 2, 3, 4, 5, 6, 255, 255])
    expect(drawBelow(hash, "", 2 ** 32)).toBe(0x03040506)
    expect(drawBelow(hash, "", 7)).toBe(0x010203040506 % 7)
  })

  it("draws every value about equally often", () => {
    const counts = Array.from({ length: 7 }, () => 0)
    for (let draw = 0; draw < 7_000; draw++) counts[drawBelow(keyed("a"), `${draw}`, 7)]! += 1
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })

  it("writes bytes in hex with leading zeros", () => {
    expect(hexOf(() => Uint8Array.from([0, 10, 255, 1]), "", 3)).toBe("000aff")
  })
})
