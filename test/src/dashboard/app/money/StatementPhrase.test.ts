import { describe, expect, it } from "bun:test"
import { statementPhrase } from "../../../../../src/dashboard/app/money/StatementPhrase.ts"

describe("What a posting is called", () => {
  it("differs by where the money went", () => {
    expect(statementPhrase("purchase", true)).toBe("Order paid to you")
    expect(statementPhrase("purchase", false)).toBe("Order paid")
  })

  it("spells a purpose that it does not know", () => {
    expect(statementPhrase("late_fee", false)).toBe("Late fee")
    expect(statementPhrase("toString", false)).toBe("ToString")
  })
})
