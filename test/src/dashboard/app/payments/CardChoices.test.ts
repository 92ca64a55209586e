import { describe, expect, it } from "bun:test"
import { CARDS, grouped, instrumentOf } from "../../../../../src/dashboard/app/payments/CardChoices.ts"
import { TEST_CARDS } from "../../../../../src/payments/TestCards.ts"

describe("CardChoices", () => {
  it("are the test cards that the sandbox knows", () => {
    expect(CARDS.map(({ name, number }) => ({ name, number }))).toEqual(
      TEST_CARDS.map(({ name, number }) => ({ name, number }))
    )
  })

  it("are written as on a card, and told apart by their last digits", () => {
    expect(grouped("4242424242424242")).toBe("4242 4242 4242 4242")
    expect(instrumentOf("sandbox-card", "decline")).toBe("Card 0002")
    expect(instrumentOf("sandbox-card", "unheard_of")).toBe("Card")
    expect(instrumentOf("wallet", null)).toBe("USD fund")
    expect(instrumentOf("stripe", "pm_1")).toBe("Card by Stripe")
  })
})
