import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { PriceRecord } from "../../../engine/market/PriceRecord.ts"
import { median } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000

describe("PriceRecord", () => {
  it("gives what a plain search gives, of two days from any time of the last two", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: DAY }), { minLength: 1, maxLength: 40 }),
        fc.nat({ max: 4 }),
        fc.nat({ max: 2 * DAY }),
        (steps, days, back) => {
          const record = new PriceRecord()
          let at = 0
          const all = steps.map((step) => median((at += step), "1"))
          const cut = Math.floor((all.length * days) / 4)
          record.add(all.slice(0, cut))
          record.add(all.slice(cut))
          const newest = all[cut]?.at ?? 0
          const from = Math.max(0, newest - back)
          expect(record.from("EUR/USD", from)).toEqual(all.filter((one) => one.at >= from && one.at < from + 2 * DAY))
          expect(record.from("XAU", 0)).toEqual([])
        }
      ),
      property()
    )
  })
})
