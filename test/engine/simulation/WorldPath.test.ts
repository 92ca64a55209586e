import { expect, it } from "bun:test"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { withPath } from "../../../engine/simulation/WorldPath.ts"
import { marketStep } from "../../../engine/simulation/WorldScenario.ts"
import { simulatedExport, surveyed } from "../../lib/SimulatedExport.ts"

const world = surveyed(simulatedExport({ seed: 8, orders: 4, traders: 3, faults: false }).events)
const step = marketStep(world)

it("A path has at each look the last safe price until then, of each asset", () => {
  const asset = fc.constantFrom("XAU", "EUR/USD")
  const gap = fc.integer({ min: 1, max: 3 * step })
  const median = fc.record({ asset, gap, price: fc.integer({ min: 1, max: 1_000 }), safe: fc.boolean() })
  fc.assert(
    fc.property(fc.array(median, { minLength: 1, maxLength: 30 }), (drawn) => {
      let at = 1_000
      const medians = drawn.map(({ gap, price, ...rest }) => ({
        ...rest,
        at: (at += gap),
        price: fromUnits(BigInt(price))
      }))
      const safe = medians.filter((one) => one.safe)
      const { path, prices } = withPath(world, medians)
      if (safe.length === 0) return expect(path).toBeNull()
      const from = safe.at(-1)!.at - (path!.prices.length - 1) * step
      expect(from).toBeGreaterThanOrEqual(safe[0]!.at)
      expect(from - safe[0]!.at).toBeLessThan(step)
      for (const [place, name] of path!.assets.entries()) {
        const own = safe.filter((one) => one.asset === name)
        for (const [look, row] of path!.prices.entries()) {
          const expected = own.findLast((one) => one.at <= from + look * step) ?? own[0]
          expect(row[place]).toBe(expected!.price)
        }
        expect(prices[name]!.last).toBe(own.findLast((one) => one.at <= safe.at(-1)!.at)!.price)
      }
    })
  )
})
