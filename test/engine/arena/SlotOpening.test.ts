import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { Median } from "../../../engine/arena/Median.ts"
import { SlotOpening, slotTerms, type TermsWorld } from "../../../engine/arena/SlotOpening.ts"
import { ONE } from "../../../engine/money/Amount.ts"
import { AgentFixture, LOST, SLOT } from "../../lib/AgentFixture.ts"
import { terms, usd } from "../../lib/ArenaArbitraries.ts"
import { dailyRates, keyed } from "../../lib/DailyRates.ts"
import { itEffect } from "../../lib/Effects.ts"

const fixture = () => {
  const made = new AgentFixture()
  const opening = new SlotOpening(made.world)
  const open = (now: number) => Effect.map(opening.open(now), (opened) => opened.map(({ orderId }) => orderId))
  return { fixture: made, open }
}

describe("SlotOpening", () => {
  itEffect("opens one order of each type that a slot has, once, and none of a slot that was missed", () =>
    Effect.gen(function* () {
      const { open } = fixture()
      expect(yield* open(0)).toEqual(["commodity/0", "fx/0", "options/0"])
      expect(yield* open(SLOT - 1)).toEqual([])
      expect(yield* open(5 * SLOT)).toEqual(["commodity/5", "fx/5", "options/5"])
    })
  )

  itEffect("leaves those that were there before this process", () =>
    Effect.gen(function* () {
      const { open, fixture: made } = fixture()
      made.there.add("fx/0")
      expect(yield* open(0)).toEqual(["commodity/0", "options/0"])
    })
  )

  itEffect("tries what it cannot make again while the slot lasts, and says once why", () =>
    Effect.gen(function* () {
      const { open, fixture: made } = fixture()
      made.halted.add("commodity")
      made.unpriced.add("fx")
      made.outcomes.push("refused", "refused")
      expect(yield* open(0)).toEqual([])
      expect(yield* open(1)).toEqual([])
      expect(made.skipped).toEqual([
        "commodity: its circuit breaker is open",
        "fx: there is no safe price",
        "options: the market maker has too little capital"
      ])
      made.halted.clear()
      expect(yield* open(2)).toEqual(["commodity/0", "options/0"])
      expect(yield* open(SLOT)).toEqual(["commodity/1", "options/1"])
      expect(made.skipped.length).toBe(4)
    })
  )

  itEffect("tries one whose outcome is unknown again, and finds it there", () =>
    Effect.gen(function* () {
      const { open, fixture: made } = fixture()
      made.outcomes.push("lost")
      expect(yield* Effect.flip(open(0))).toBe(LOST)
      expect(made.appended).toEqual([])
      made.outcomes.push("stale")
      expect(yield* open(1)).toEqual(["fx/0", "options/0"])
      expect(yield* open(2)).toEqual([])
    })
  )
})

describe("slotTerms", () => {
  const at = Date.UTC(2026, 10, 20)
  const world = (medianAt: number): TermsWorld => ({
    hash: keyed("a"),
    tieKeyHash: (orderId) => `hash of ${orderId}`,
    history: dailyRates,
    maker: terms().maker,
    commitWindow: 100,
    settlementDelay: 50,
    latest: (asset): Median => ({ asset, at: medianAt, price: ONE, safe: true })
  })

  it("are made of this moment's prices alone, with the times of the arena", () => {
    const made = slotTerms(world(at), 3, "fx", at, usd("0.5"))!
    expect([made.openedAt, made.expiryAt, made.settlementAt]).toEqual([at, at + 100, at + 150])
    expect([made.tieKeyHash, made.makerDiscount]).toEqual([`hash of ${made.orderId}`, usd("0.5")])
    expect(slotTerms(world(at - 1), 3, "fx", at, undefined)).toBeUndefined()
    expect(slotTerms(world(at), 3, "fx", at, undefined)).not.toHaveProperty("makerDiscount")
  })
})
