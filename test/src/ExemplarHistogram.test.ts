import { describe, expect, it } from "bun:test"
import { Context, Metric } from "effect"
import fc from "fast-check"
import { ExemplarHistogram } from "../../src/ExemplarHistogram.ts"
import { property } from "../lib/Property.ts"

const BOUNDS = [0.5, 2, 8]

const value = fc.oneof(fc.constantFrom(...BOUNDS), fc.double({ min: 0, max: 20, noNaN: true }))

describe("A histogram with exemplars", () => {
  it("counts as a histogram of the runtime does", () => {
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const context = Context.make(Metric.MetricRegistry, new Map()) as Context.Context<never>
        const plain = Metric.histogram("seconds", { boundaries: BOUNDS })
        const own = new ExemplarHistogram(BOUNDS)
        for (const one of values) {
          plain.updateUnsafe(one, context)
          own.add(one)
        }
        const { buckets, count, max, min, sum } = plain.valueUnsafe(context)
        const { exemplars, ...state } = own.state
        const bounded = buckets.filter(([bound]) => Number.isFinite(bound))
        // Of nothing the runtime's least and most are the limits of numbers.
        const [least, most] = count === 0 ? [0, 0] : [min, max]
        expect(state).toEqual({ buckets: bounded, count, max: most, min: least, sum })
        expect(exemplars).toEqual([undefined, undefined, undefined, undefined])
      }),
      property()
    )
  })

  it("keeps the last trace of each bucket", () => {
    const traced = fc.tuple(value, fc.option(fc.nat(99), { nil: undefined }))
    fc.assert(
      fc.property(fc.array(traced), (all) => {
        const histogram = new ExemplarHistogram(BOUNDS)
        for (const [one, trace] of all) histogram.add(one, trace === undefined ? undefined : { id: `t${trace}`, at: 7 })
        const expected = [...BOUNDS, Infinity].map((bound, index) => {
          const found = all.findLast(
            ([one, trace]) => trace !== undefined && one <= bound && one > (BOUNDS[index - 1] ?? -Infinity)
          )
          return found === undefined ? undefined : { traceId: `t${found[1]}`, value: found[0], at: 7 }
        })
        expect(histogram.state.exemplars).toEqual(expected)
      }),
      property()
    )
  })
})
