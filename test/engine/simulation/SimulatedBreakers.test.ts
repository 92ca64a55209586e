import { describe, expect, it } from "bun:test"
import { SimulatedBreakers } from "../../../engine/simulation/SimulatedBreakers.ts"

describe("SimulatedBreakers", () => {
  it("halts the asset type that has a problem, and remembers when it did", () => {
    const breakers = new SimulatedBreakers()
    expect(breakers.check([], 1_000)).toEqual([])
    expect(breakers.check([{ scope: "fx", reason: "stale_price" }], 2_000).length).toBe(1)
    expect(breakers.halt("fx", 2_000)).toMatchObject({ scope: "asset_type" })
    expect(breakers.halt("gpu", 2_000)).toBeNull()
    expect([breakers.wasHalted("fx", 1_999), breakers.wasHalted("fx", 2_000)]).toEqual([false, true])
  })

  it("halts everything by the global breaker, which comes first", () => {
    const breakers = new SimulatedBreakers()
    breakers.check(
      [
        { scope: "global", reason: "order_overdue" },
        { scope: "gpu", reason: "stale_price" }
      ],
      1_000
    )
    expect(breakers.halt("gpu", 1_000)?.scope).toBe("global")
    expect(breakers.halt("fx", 1_000)?.scope).toBe("global")
  })
})
