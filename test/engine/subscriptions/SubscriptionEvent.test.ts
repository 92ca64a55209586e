import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodeSubscriptionEvent } from "../../../engine/subscriptions/SubscriptionEvent.ts"
import { SubscriptionScenario } from "../../lib/SubscriptionScenario.ts"

describe("decodeSubscriptionEvent", () => {
  it("reads what was written, byte for byte", () => {
    const ending = new SubscriptionScenario({ every: "week", periods: 9 }, 50)
    ending.create()
    ending.renew()
    ending.cancel(true)
    ending.pass(15)
    const failing = new SubscriptionScenario({ every: "week" }, 25)
    failing.create()
    failing.pass(20)
    const stored = [...ending.stored, ...failing.stored]
    expect(new Set(stored.map(({ type }) => type)).size).toBe(5)
    for (const { data } of stored) expect(encodeEvent(decodeSubscriptionEvent(data))).toBe(data)
  })

  it("dies on other bytes", () => {
    expect(() => decodeSubscriptionEvent("{}")).toThrow()
    expect(() => decodeSubscriptionEvent(`{"_tag":"SubscriptionRenewed"}`)).toThrow()
  })
})
