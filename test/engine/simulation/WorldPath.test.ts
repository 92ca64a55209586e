import { expect, it } from "bun:test"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { fromUnits as rate } from "../../../engine/money/Rate.ts"
import { PathPrices, withPath } from "../../../engine/simulation/WorldPath.ts"
import { FEWEST_MOVES } from "../../../engine/simulation/WorldPrices.ts"
import { marketStep } from "../../../engine/simulation/WorldScenario.ts"
import { simulatedExport, surveyed } from "../../lib/SimulatedExport.ts"

const world = surveyed(simulatedExport({ seed: 8, orders: 4, traders: 3, faults: false }).events)
const step = marketStep(world)

const asset = fc.constantFrom("XAU", "EUR/USD")

const median = (longest: number) =>
  fc.record({
    asset,
    gap: fc.integer({ min: 1, max: longest }),
    price: fc.integer({ min: 1, max: 1_000 }),
    safe: fc.boolean()
  })

const inTime = (drawn: ReadonlyArray<{ asset: string; gap: number; price: number; safe: boolean }>) => {
  let at = 1_000
  return drawn.map(({ gap, price, ...rest }) => ({ ...rest, at: (at += gap), price: fromUnits(BigInt(price)) }))
}

it("The prices that a path looks at make the path of all of them, and are no more than its looks have", () => {
  fc.assert(
    fc.property(fc.array(median(step), { minLength: 1, maxLength: 60 }), fc.boolean(), (drawn, isDense) => {
      const medians = inTime(drawn.map(({ gap, ...rest }) => ({ ...rest, gap: isDense ? Math.ceil(gap / 50) : gap })))
      const last = medians.findLast(({ safe }) => safe)?.at ?? 0
      const prices = new PathPrices(world, last)
      for (const median of medians) prices.take(median)
      const made = withPath(world, prices.medians)
      expect(made).toEqual(withPath(world, medians))
      const assets = made.path?.assets.length ?? 0
      expect(prices.medians.length).toBeLessThanOrEqual(assets * ((made.path?.prices.length ?? 0) + 1))
    })
  )
})

it("A path of few looks leaves the volatility that the auctions told", () => {
  const [name = "", price] = Object.entries(world.prices)[0] ?? []
  const known = { ...world, prices: { [name]: { last: price!.last, volatility: rate(7n) } } }
  const looks = (count: number) =>
    Array.from({ length: count }, (_, look) => ({
      asset: name,
      at: look * step,
      price: fromUnits(BigInt(100 + (look % 2))),
      safe: true
    }))
  const few = withPath(known, looks(FEWEST_MOVES))
  expect(few.prices[name]).toEqual({ last: fromUnits(101n), volatility: rate(7n) })
  expect(withPath(known, looks(FEWEST_MOVES + 1)).prices[name]?.volatility).toBeGreaterThan(7n)
  const other = name === "XAU" ? "EUR/USD" : "XAU"
  expect(
    withPath(
      known,
      looks(3).map((one) => ({ ...one, asset: other }))
    ).prices[other]?.volatility
  ).toBeNull()
})

it("A path has at each look the last safe price until then, of each asset", () => {
  fc.assert(
    fc.property(fc.array(median(3 * step), { minLength: 1, maxLength: 30 }), (drawn) => {
      const medians = inTime(drawn)
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
