import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { PriceRecord } from "../../../engine/market/PriceRecord.ts"
import { median } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000

describe("PriceRecord", () => {
  it("gives what a plain search gives, of any order of the last two days", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: DAY }), fc.boolean()), { minLength: 1, maxLength: 40 }),
        fc.nat({ max: 4 }),
        fc.nat({ max: DAY }),
        fc.nat({ max: DAY }),
        (steps, quarters, back, delay) => {
          const record = new PriceRecord()
          let at = 0
          const all = steps.map(([step, safe]) => median((at += step), "1", safe))
          const cut = Math.floor((all.length * quarters) / 4)
          record.add(all.slice(0, cut))
          record.add(all.slice(cut))
          const expiryAt = Math.max(0, (all[cut]?.at ?? 0) - back)
          const settlementAt = expiryAt + delay
          const last = all.find((one) => one.safe && one.at >= settlementAt)
          const expected = all.filter((one) => one.at >= expiryAt && one.at <= (last?.at ?? Infinity))
          const found = record.of("EUR/USD", expiryAt, settlementAt)
          expect(found.map((one) => one.at)).toEqual(
            last === undefined
              ? expected.map((one) => one.at)
              : all.slice(all.indexOf(expected[0] ?? last), all.indexOf(last) + 1).map((one) => one.at)
          )
          expect(record.of("XAU", 0, DAY)).toEqual([])
        }
      ),
      property()
    )
  })
})
