import { describe, expect, it } from "bun:test"
import { evolve } from "../../../engine/arena/Order.ts"
import type { HoldRecord } from "../../../engine/ledger/Book.ts"
import { type FinalState, holdLine, orderLines, stateText } from "../../../engine/simulation/StateText.ts"
import { commitment, order, terms, usd } from "../../lib/ArenaArbitraries.ts"

const account = (id: string, balance: string) => ({
  id: `${id}/USD/wallet` as const,
  balance: usd(balance),
  held: usd("0"),
  closed: false
})
const hold: HoldRecord = {
  id: "h",
  account: "a/USD/wallet",
  into: "v/USD/vault",
  amount: usd("1"),
  state: { _tag: "Captured", amount: usd("0.5") }
}

const textOf = (state: FinalState): string => [...stateText(state)].join("")

describe("StateText", () => {
  it("tells accounts, holds and orders by id, without what is empty", () => {
    const state = order()
    evolve(state, { _tag: "CommitmentSubmitted", at: 0, commitment: commitment(1) })
    const text = textOf({
      accounts: [account("b", "2"), account("c", "0"), account("a", "1")],
      holds: [hold],
      orders: [state]
    })
    expect(text).toBe(
      [
        "account a/USD/wallet 1000000 0 open",
        "account b/USD/wallet 2000000 0 open",
        "hold h a/USD/wallet v/USD/vault 1000000 Captured 500000",
        `order ${terms().orderId} 2 competing - - -`,
        `commitment ${commitment(1).commitmentId} active - 3810000 0 0`,
        ""
      ].join("\n")
    )
  })

  it("is the same where some of it was told before", () => {
    const holds = ["collateral/1", "collateral/2", "collateral/3"].map((id) => ({ ...hold, id }))
    const [one, two, three] = holds as [HoldRecord, HoldRecord, HoldRecord]
    const orders = ["1", "2"].map((id) => order({ orderId: `ord_${id}` }))
    const told = {
      holds: [{ id: two.id, text: () => holdLine(two) }],
      orders: [{ id: "ord_1", text: () => orderLines(orders[0]!) }]
    }
    expect(textOf({ accounts: [], holds: [three, one], orders: orders.slice(1), told })).toBe(
      textOf({ accounts: [], holds, orders })
    )
  })

  it("is the same whatever the order of what it is given", () => {
    const [a, b] = [account("a", "1"), account("b", "2")]
    const of = (accounts: ReadonlyArray<typeof a>) => textOf({ accounts, holds: [], orders: [] })
    expect(of([a, b])).toBe(of([b, a]))
  })
})
