import { describe, expect, it } from "bun:test"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { after, dueAt, priceOf, RETRY_DAYS, subscriptionStream } from "../../../engine/subscriptions/Subscription.ts"
import { BUYER, START, SubscriptionScenario, TERMS } from "../../lib/SubscriptionScenario.ts"

describe("Subscription", () => {
  it("costs its pieces at the price that was agreed", () => {
    expect(priceOf({ quantity: 3, unitPrice: fromUnits(333_333n) })).toBe(fromUnits(999_999n))
    expect(priceOf(TERMS)).toBe(fromUnits(25n * ONE))
  })

  it("is due from its start on", () => {
    expect(dueAt(TERMS, 1)).toBe(START)
    expect(RETRY_DAYS).toEqual([1, 3, 5])
    expect(subscriptionStream("sub_1")).toBe("subscription/sub_1")
  })

  it("counts its events, and never forgets what was agreed", () => {
    const play = new SubscriptionScenario({ every: "week" }, 60)
    play.create()
    play.pass(40)
    let state: SubscriptionScenario["state"]
    for (const [index, event] of play.events.entries()) {
      state = after(state, event)
      expect(state.version).toBe(index + 1)
      expect(state.terms).toEqual(play.terms)
      expect(state.nextAt === null).toBe(state.status === "cancelled" || state.status === "completed")
      expect(state.failedAt === null).toBe(state.failures === 0)
    }
    expect(state).toEqual(play.state)
  })

  it("is nothing before it is created", () => {
    const cancelled = {
      _tag: "SubscriptionCancelled",
      at: 0,
      ...BUYER,
      subscriptionId: "sub_1",
      reason: "requested"
    } as const
    expect(() => after(undefined, cancelled)).toThrow(TypeError)
  })
})
