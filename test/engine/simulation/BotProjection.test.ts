import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { describe, expect, it } from "bun:test"
import { BotProjection } from "../../../engine/simulation/BotProjection.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { budgeted, decided, FEBRUARY, granted, lifecycle, made, offer, CASE_BOT } from "../../lib/BotCases.ts"

const projected = (...events: ReadonlyArray<PlatformEvent>) => {
  const projection = new BotProjection()
  projection.apply(
    events.map((event, index) => ({
      seq: index + 1,
      stream: "",
      version: 1,
      hash: "",
      hashBytes: new Uint8Array(),
      data: "",
      event
    }))
  )
  return projection
}

const opened: PlatformEvent = { _tag: "OrderOpened", at: 0, terms: offer }
const closed: PlatformEvent = { _tag: "OrderClosed", at: 0, orderId: offer.orderId }
const started = lifecycle("BotStarted")
const paused = { ...lifecycle("BotPaused"), at: FEBRUARY + 10 } as PlatformEvent

describe("BotProjection", () => {
  it("knows bots, and what they decided about orders that take commitments", () => {
    const projection = projected(opened, made, started, decided)
    expect(projection.bots.get(CASE_BOT)?.standing.status).toBe("active")
    expect([...projection.open.values()]).toEqual([offer])
    expect(projection.decisions(CASE_BOT)).toEqual([
      { orderId: offer.orderId, expiryAt: offer.expiryAt, decision: decided.decision }
    ])
    expect(projected(opened, made, started, { ...decided, dryRun: true }).decisions(CASE_BOT)).toEqual([])
    const later = projected(opened, made, started, decided, closed)
    expect([later.open.size, later.decisions(CASE_BOT).length]).toEqual([0, 0])
  })

  it("counts credits and budgets", () => {
    const projection = projected(opened, made, started, granted, budgeted, decided)
    expect(projection.credits("cmp_1")).toMatchObject({ version: 2, granted: "2027-02", free: usd("1") })
    expect(projection.budget(CASE_BOT, "2027-02")).toMatchObject({ set: usd("3"), left: usd("2"), times: 1 })
    expect(projection.budget(CASE_BOT, "2027-03")).toMatchObject({ set: 0n, times: 0 })
  })

  it("tells whose bots were active for a type, from when to when", () => {
    const projection = projected(made, started, paused)
    const owners = (from: number, to: number) => projection.activeOwners("fx", FEBRUARY + from, FEBRUARY + to)
    expect([owners(-5, 0), owners(-5, 1), owners(9, 20), owners(10, 20)]).toEqual([[], ["cmp_1"], ["cmp_1"], []])
    expect(projection.capableCount("fx")).toBe(0)
    expect(projected(made, started).capableCount("fx")).toBe(1)
    expect(projected(made, started).capableCount("gpu")).toBe(0)
  })
})
