import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { priceProblem, type RecordedPrice, WINDOW_MILLIS } from "../../../engine/arena/PriceBand.ts"
import { SlidingWindow } from "../../../engine/arena/SlidingWindow.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

/** The next median's distance and price, then the distance of a time that is asked for. */
const anyStep = fc.record({
  pause: fc.constantFrom(0, 1, 1_000, 20_000, WINDOW_MILLIS, WINDOW_MILLIS + 1),
  price: fc.bigInt(1n, 10n ** 12n).map(fromUnits),
  asked: fc.oneof(
    fc.constantFrom(0, 1, -1, WINDOW_MILLIS, WINDOW_MILLIS + 1, -WINDOW_MILLIS),
    fc.integer({ min: -2 * WINDOW_MILLIS, max: 2 * WINDOW_MILLIS })
  )
})

const naive = (medians: ReadonlyArray<RecordedPrice>, at: number) => {
  const inside = medians.filter((median) => median.at < at && at - median.at <= WINDOW_MILLIS)
  return { count: inside.length, sum: inside.reduce((sum, { price }) => sum + price, 0n) }
}

describe("SlidingWindow", () => {
  it("has the sum of a scan of all medians, whichever way the times go", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const medians: Array<RecordedPrice> = []
        const window = new SlidingWindow(medians)
        let last = 0
        for (const { pause, price, asked } of steps) {
          last += pause
          medians.push({ at: last, price })
          expect(window.before(last + asked)).toEqual(naive(medians, last + asked))
        }
      }),
      property()
    )
  })

  it("judges a price as the medians themselves do", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 20 }), fc.bigInt(1n, 10n ** 12n).map(fromUnits), (steps, price) => {
        let at = 0
        const medians = steps.map((step) => ({ at: (at += step.pause), price: step.price }))
        const newest = { at: at + 1, price }
        const judged = (recorded: ReadonlyArray<RecordedPrice> | SlidingWindow) =>
          priceProblem(newest, { type: "fx", recorded, freshFor: 0 }, newest.at)
        expect(judged(new SlidingWindow(medians))).toBe(judged(medians))
      }),
      property()
    )
  })

  it("is empty without medians", () => {
    expect(new SlidingWindow([]).before(5)).toEqual({ count: 0, sum: 0n })
  })
})
