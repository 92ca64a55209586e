import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { Book } from "../../../engine/ledger/Book.ts"
import { MAKER, openingFunds } from "../../../engine/simulation/OpeningFunds.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"

describe("OpeningFunds", () => {
  it("gives everybody what the scenario says, out of custody", () => {
    const scenario = makeScenario({ seed: 13, orders: 4, traders: 20, faults: false })
    const book = new Book()
    for (const { entries } of openingFunds(scenario, 7)) {
      for (const { commands, event } of entries) {
        expect(Result.isSuccess(book.apply(commands))).toBe(true)
        expect(event.at).toBe(7)
      }
    }
    for (const { id, index, balance, allowance } of scenario.traders) {
      expect(book.account(`${id}/USD/wallet`).balance).toBe(balance)
      expect(book.account(`mtr_${index}/USD-ALLOWANCE/allowance`).balance).toBe(
        allowance ?? book.account("x/USD/wallet").balance
      )
    }
    expect(book.account(MAKER.account).balance > 0n).toBe(true)
    expect(book.account("platform/USD/yield_source").balance).toBe(scenario.house.yieldCapital)
  })
})
