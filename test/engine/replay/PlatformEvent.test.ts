import { describe, expect, test } from "bun:test"
import { familyOf, isOf, type PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"

const EVENT: PlatformEvent = { _tag: "BotPaused", at: 1, by: null, botId: "bot_1" }

describe("The family of an event", () => {
  test("is what its tag says, and none for a tag that nothing has", () => {
    expect(familyOf("PurchaseOrderPaid")).toBe("purchase")
    expect(familyOf("PaymentRefunded")).toBe("payment")
    expect(familyOf("CreditsBought")).toBe("credits")
    expect(familyOf("PaymentLost")).toBeUndefined()
    expect(familyOf("toString")).toBeUndefined()
  })

  test("tells its events from others", () => {
    expect(isOf("bot")(EVENT)).toBe(true)
    expect(isOf("order")(EVENT)).toBe(false)
  })
})
