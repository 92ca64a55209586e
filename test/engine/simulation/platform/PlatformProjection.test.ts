import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { TradeDesk } from "../../../../engine/simulation/platform/TradeDesk.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../../lib/CompanyWorld.ts"

describe("PlatformProjection", () => {
  it("shows what is recorded: quotes, orders and the payments of each", () => {
    const { give, projection, served, world } = companyWorld()
    const desk = new TradeDesk(world, () => Effect.void)
    give(BUYER.userId, "USD", 100)
    served(desk.list(SELLER, { act: "list", price: usd(10), pieces: 5 }, "l"))
    expect(projection.quoted(["prd_1", "none"]).get("prd_1")).toMatchObject({
      price: usd(10),
      product: { stream: "product/prd_1", version: 1, takings: "usr_co_0/USD/wallet" }
    })
    const items = [{ product: 0, quantity: 2 }]
    served(desk.order(BUYER, { act: "order", items, terms: { type: "prepaid" }, wrong: undefined }, "o"))
    const [orderId = ""] = projection.orders.keys()
    const before = projection.orders.get(orderId)
    served(desk.payOrder(BUYER, { act: "payOrder", order: 0, extent: "all", stranger: false }, "p"))
    expect(projection.counts(orderId)).toEqual({ total: 1, open: 0 })
    expect(projection.payment("pmt_p")?.state).toMatchObject({ isDirect: true, stage: "captured" })
    expect(projection.paymentSeq("pmt_p")).toBe(4)
    expect(before?.state.payments).toEqual([])
  })
})
