import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { CountTable } from "../../../src/http/CountTable.ts"
import { property } from "../../lib/Property.ts"

const half = fc.oneof(fc.constantFrom(0, 1, 0xffff_ffff), fc.nat(0xffff_ffff))

describe("CountTable", () => {
  it("holds what a map of pairs holds, also after it was cleared", () => {
    const key = fc.tuple(half, half)
    const steps = fc.array(fc.tuple(key, fc.nat(0xffff_fffe)), { maxLength: 100 })
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const table = new CountTable()
        for (const [[high, low], count] of before) table.set(high, low, count)
        table.clear()
        const naive = new Map<string, number>()
        for (const [[high, low], count] of after) {
          table.set(high, low, count)
          naive.set(`${high} ${low}`, count)
        }
        expect(table.size).toBe(naive.size)
        for (const [[high, low]] of [...before, ...after]) {
          expect(table.get(high, low)).toBe(naive.get(`${high} ${low}`) ?? 0)
          expect(table.has(high, low)).toBe(naive.has(`${high} ${low}`))
        }
      }),
      property()
    )
  })

  it("keeps every count while it grows", () => {
    const table = new CountTable()
    for (let n = 0; n < 50_000; n++) table.set(n % 7, n, n)
    expect(table.size).toBe(50_000)
    for (let n = 0; n < 50_000; n++) expect(table.get(n % 7, n)).toBe(n)
  })
})
