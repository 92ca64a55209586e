import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Median } from "../../../engine/arena/Median.ts"
import { sumBefore, WINDOW_MILLIS } from "../../../engine/arena/PriceBand.ts"
import { PriceWindow } from "../../../engine/arena/PriceWindow.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

/** How far the clock moves, and what is looked at or recorded then. */
const moves = fc.array(
  fc.record({
    by: fc.oneof(
      fc.integer({ min: 1, max: 60_000 }),
      fc.constantFrom(WINDOW_MILLIS, WINDOW_MILLIS + 1),
      fc.integer({ min: -400_000, max: 400_000 })
    ),
    price: fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }), { nil: undefined, freq: 2 })
  }),
  { maxLength: 60 }
)

describe("PriceWindow", () => {
  it("sums what adding up anew sums, however the clock moves between looks and medians", () => {
    fc.assert(
      fc.property(moves, (all) => {
        const window = new PriceWindow()
        const recorded: Array<Median> = []
        let now = 1_790_000_000_000
        for (const { by, price } of all) {
          now += by
          const last = recorded.at(-1)?.at ?? 0
          const kept = recorded.filter(({ at }) => at >= last - WINDOW_MILLIS)
          expect(window.medians).toEqual(kept)
          expect(window.sumBefore(now)).toEqual(sumBefore(kept, now))
          if (price === undefined || now <= last) continue
          const median = { asset: "XAU", at: now, price: fromUnits(price), safe: true }
          window.add(median)
          recorded.push(median)
        }
      }),
      property()
    )
  })
})
