import { describe, expect, it } from "bun:test"
import { deskInstruments, deskPrices, type DeskView } from "../../../engine/fx/DeskPrices.ts"
import { fromUnits as rate, ONE } from "../../../engine/money/Rate.ts"
import { usd } from "../../lib/CompanyWorld.ts"
import { environment } from "../../lib/Simulations.ts"

const view: DeskView = {
  fresh: () => ({ price: usd(2), simulated: true }),
  history: environment.history,
  isOpen: () => false,
  walkSpeed: 1
}
const pair = { base: "EUR", quote: "USD" }

describe("deskPrices", () => {
  it("prices a pair in USD, each unit for itself", () => {
    expect(deskPrices(pair, view)).toMatchObject({ base: rate(2n * ONE), quote: ONE })
    const per = BigInt(deskInstruments.get("JPY")?.per ?? 0)
    expect(deskPrices({ base: "JPY", quote: "USD" }, view)?.base).toBe(rate((2n * ONE) / per))
  })

  it("keeps more where simulated prices walk faster", () => {
    const slow = deskPrices(pair, view)!.spread
    expect(deskPrices(pair, { ...view, walkSpeed: 3_600 })!.spread > slow).toBe(true)
    const real = { ...view, fresh: () => ({ price: usd(2), simulated: false }), walkSpeed: 3_600 }
    expect(deskPrices(pair, real)!.spread).toBe(slow)
  })

  it("has none without a fresh price, while a breaker doubts it, and of what it does not know", () => {
    expect(deskPrices(pair, { ...view, fresh: () => undefined })).toBeUndefined()
    expect(deskPrices(pair, { ...view, isOpen: (type) => type === "fx" })).toBeUndefined()
    expect(deskPrices({ base: "ZZZ", quote: "USD" }, view)).toBeUndefined()
  })
})
