import { describe, expect, it } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { looksLikeCardNumber } from "../../../src/payments/CardNumber.ts"
import { TEST_CARDS, testCardNamed, testCardOf } from "../../../src/payments/TestCards.ts"

describe("the test cards", () => {
  it("look like cards, and are found by number and name", () => {
    for (const card of TEST_CARDS) {
      expect(looksLikeCardNumber(card.number)).toBe(true)
      expect(testCardOf(card.number.replaceAll(/(.{4})(?=.)/g, "$1 "))).toBe(card)
      expect(testCardNamed(card.name)).toBe(card)
    }
    expect(testCardOf("4111111111111111")).toBeUndefined()
  })

  it("stand in the documentation as they are", () => {
    const page = readFileSync(join(import.meta.dir, "../../../docs/concepts/payments.md"), "utf8")
    for (const { name, number, story } of TEST_CARDS)
      expect(page).toContain(`| \`${number}\` | \`${name}\` | ${story} |`)
  })

  it("are told from what is no card", () => {
    for (const text of ["4242424242424241", "pm_card_visa", "123", "4242-4242-4242-424x", ""]) {
      expect(looksLikeCardNumber(text)).toBe(false)
    }
    expect(looksLikeCardNumber("4111-1111-1111-1111")).toBe(true)
  })
})
