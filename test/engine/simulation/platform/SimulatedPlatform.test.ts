import { describe, expect, it } from "bun:test"
import { BreakerPanel } from "../../../../engine/arena/BreakerPanel.ts"
import { SOURCE_FRESH_MILLIS } from "../../../../engine/arena/PriceBand.ts"
import { deskViewOf } from "../../../../engine/simulation/platform/SimulatedPlatform.ts"
import { makeScenario } from "../../../../engine/simulation/Scenario.ts"
import { beginSimulation } from "../../../../engine/simulation/Simulation.ts"
import { usd } from "../../../lib/CompanyWorld.ts"
import { environment } from "../../../lib/Simulations.ts"

const spec = { seed: 5, orders: 4, traders: 2, companies: 4, faults: true }

/** Plays a simulation, looking at it after so many turns at a time. */
const played = (turns: number) => {
  const running = beginSimulation(makeScenario(spec), { ...environment, audit: turns % 2 === 0 })
  for (let goes = true; goes;) {
    for (let turn = 0; goes && turn < turns; turn++) goes = running.advance()
    expect(running.account("usr_co_0/USD/wallet").balance >= 0n).toBe(true)
  }
  const { eventsHash, stateHash } = running.end()
  return { eventsHash, stateHash }
}

describe("deskViewOf", () => {
  it("leaves out a price that no source would still give, and heeds the breaker of the type alone", () => {
    const breakers = new BreakerPanel()
    let now = 1_000
    const feed = { latest: (asset: string) => ({ asset, at: 1_000, price: usd(2), safe: true }) }
    const clock = { currentTimeMillisUnsafe: () => now }
    const view = deskViewOf({ breakers, feed, clock, history: environment.history })
    const seen = [0, SOURCE_FRESH_MILLIS, 1].map((millis) => {
      now += millis
      return view.fresh("EUR/USD")?.price
    })
    expect(seen).toEqual([usd(2), usd(2), undefined])
    breakers.take(breakers.trip([{ scope: "global", reason: "order_overdue" }], now))
    expect(view.isOpen("fx")).toBe(false)
    breakers.take(breakers.trip([{ scope: "fx", reason: "stale_price" }], now))
    expect(view.isOpen("fx")).toBe(true)
  })
})

describe("SimulatedPlatform", () => {
  it("comes to the same bytes however it is cut into turns, and whether it is judged or not", () => {
    const whole = played(1_000_000)
    for (const turns of [1, 7, 64]) expect(played(turns)).toEqual(whole)
  })
})
