import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { apportion } from "../../../engine/commerce/Apportionment.ts"
import { type Amount, fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const units = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 8_000_000_000_000_000n)).map(fromUnits)
const claims = fc.array(units, { minLength: 1, maxLength: 8 })
const sum = (amounts: ReadonlyArray<Amount>): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const apportioned = (amount: bigint, parts: ReadonlyArray<bigint>) => apportion(fromUnits(amount), parts.map(fromUnits))

describe("Apportionment", () => {
  it("gives what rounding leaves to the largest remainders, the earlier first", () => {
    expect(apportioned(10n, [50n, 30n, 20n])).toEqual([5n, 3n, 2n].map(fromUnits))
    expect(apportioned(1n, [1n, 1n, 1n])).toEqual([1n, 0n, 0n].map(fromUnits))
    expect(apportioned(2n, [10n, 10n, 11n])).toEqual([1n, 0n, 1n].map(fromUnits))
    expect(apportioned(0n, [0n, 0n])).toEqual([0n, 0n].map(fromUnits))
  })

  it("sums to the amount, each part within its claim and a unit of its exact share", () => {
    fc.assert(
      fc.property(claims, fc.nat(1_000), (owed, permille) => {
        const total = sum(owed)
        const amount = fromUnits((total * BigInt(permille)) / 1_000n)
        const parts = apportion(amount, owed)
        expect(sum(parts)).toBe(amount)
        for (const [index, part] of parts.entries()) {
          const claim = owed[index] ?? 0n
          expect(part >= 0n && part <= claim).toBe(true)
          const error = part * total - claim * amount
          expect(total === 0n || (error < total && error > -total)).toBe(true)
        }
      }),
      property()
    )
  })

  it("meets every claim exactly once all is paid, in whatever steps", () => {
    fc.assert(
      fc.property(claims, fc.array(fc.nat(1_000), { maxLength: 6 }), (owed, steps) => {
        let left: ReadonlyArray<Amount> = owed
        for (const permille of [...steps, 1_000]) {
          const parts = apportion(fromUnits((sum(left) * BigInt(permille)) / 1_000n), left)
          left = left.map((claim, index) => fromUnits(claim - (parts[index] ?? 0n)))
          expect(left.every((claim) => claim >= 0n)).toBe(true)
        }
        expect(sum(left)).toBe(0n)
      }),
      property()
    )
  })

  it("refuses more than is claimed, and less than nothing", () => {
    expect(() => apportioned(3n, [1n, 1n])).toThrow(RangeError)
    expect(() => apportioned(-1n, [1n])).toThrow(RangeError)
  })
})
