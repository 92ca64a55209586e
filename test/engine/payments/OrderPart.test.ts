import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { takesOf, paymentIn } from "../../../engine/payments/OrderPart.ts"
import { TradeDesk } from "../../../engine/simulation/platform/TradeDesk.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../lib/CompanyWorld.ts"

describe("takesOf", () => {
  it("is what an order would take now, and nothing once it is paid", () => {
    const { give, projection, served, world } = companyWorld()
    const trade = new TradeDesk(world, () => Effect.void)
    give(BUYER.userId, "USD", 100)
    served(trade.list(SELLER, { act: "list", price: usd(10), pieces: 5 }, "l"))
    const items = [{ product: 0, quantity: 2 }]
    served(trade.order(BUYER, { act: "order", items, terms: { type: "prepaid" }, wrong: undefined }, "o"))
    const order = () => [...projection.orders.values()][0]!.state
    expect([takesOf(order(), "next"), takesOf(order(), "all")]).toEqual([usd(20), usd(20)])
    expect(paymentIn(order(), "pmt_p")).toBeUndefined()
    served(trade.payOrder(BUYER, { act: "payOrder", order: 0, extent: "all", stranger: false }, "p"))
    expect(takesOf(order(), "all")).toBe(usd(0))
    expect(paymentIn(order(), "pmt_p")?.amount).toBe(usd(20))
  })
})
