import { describe, expect, it } from "bun:test"
import { BreakerPanel } from "../../../engine/arena/BreakerPanel.ts"
import type { Problem } from "../../../engine/arena/CircuitBreaker.ts"

const checked = (panel: BreakerPanel, problems: ReadonlyArray<Problem>, now: number) => {
  const step = panel.check(problems, now)
  panel.take(step)
  return step.transitions
}

describe("BreakerPanel", () => {
  it("halts the asset type that has a problem, and remembers when it did", () => {
    const breakers = new BreakerPanel()
    expect(checked(breakers, [], 1_000)).toEqual([])
    expect(checked(breakers, [{ scope: "fx", reason: "stale_price" }], 2_000).length).toBe(1)
    expect(breakers.halt("fx", 2_000)).toMatchObject({ scope: "asset_type" })
    expect(breakers.halt("gpu", 2_000)).toBeNull()
    expect([breakers.wasHalted("fx", 1_999), breakers.wasHalted("fx", 2_000)]).toEqual([false, true])
  })

  it("halts everything by the global breaker, which comes first", () => {
    const breakers = new BreakerPanel()
    checked(
      breakers,
      [
        { scope: "global", reason: "order_overdue" },
        { scope: "gpu", reason: "stale_price" }
      ],
      1_000
    )
    expect(breakers.halt("gpu", 1_000)?.scope).toBe("global")
    expect(breakers.halt("fx", 1_000)?.scope).toBe("global")
  })

  it("does nothing before a step is taken, and goes on from what was recorded", () => {
    const panel = new BreakerPanel()
    const step = panel.trip([{ scope: "global", reason: "ledger_imbalance" }], 1_000)
    expect([panel.isLatched, panel.globalHalt(1_000)]).toEqual([false, null])
    panel.take(step)
    expect([panel.isLatched, panel.globalHalt(1_000)?.scope]).toEqual([true, "global"])
    const again = new BreakerPanel(step.transitions)
    expect([again.isLatched, again.wasHalted("fx", 999), again.wasHalted("fx", 1_000)]).toEqual([true, false, true])
    again.take(again.reset("global", 2_000))
    expect([again.isLatched, again.halt("fx", 2_000)]).toEqual([false, null])
  })
})
