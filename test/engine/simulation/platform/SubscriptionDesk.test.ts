import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { SubscriptionDesk } from "../../../../engine/simulation/platform/SubscriptionDesk.ts"
import { TradeDesk } from "../../../../engine/simulation/platform/TradeDesk.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../../lib/CompanyWorld.ts"

const WEEK = 7 * 86_400_000

const market = (dollars: number) => {
  const made = companyWorld()
  made.give(BUYER.userId, "USD", dollars)
  made.served(
    new TradeDesk(made.world, () => Effect.void).list(SELLER, { act: "list", price: usd(10), pieces: 5 }, "l")
  )
  const desk = new SubscriptionDesk(made.world)
  const wanted = { act: "subscribe", product: 0, quantity: 1, every: "week", periods: 2, startsIn: 0 } as const
  const due = () => desk.due(made.clock.currentTimeMillisUnsafe())
  return { ...made, desk, due, wanted }
}

describe("SubscriptionDesk", () => {
  it("charges the first period at once and the next one when it is due", () => {
    const { balance, clock, desk, due, run, served, wanted } = market(100)
    expect(served(desk.subscribe(BUYER, wanted, "s"))).toBe("SubscriptionCreated")
    expect(due()).toEqual([])
    clock.jump(WEEK)
    expect(due()).toEqual(["sub_2"])
    run(desk.step("sub_2"))
    expect(balance("usr_co_0/USD/wallet")).toBe(usd(20))
    expect(due()).toEqual([])
  })

  it("records that a period could not be charged, and refuses what is missing at once", () => {
    const { clock, desk, projection, run, served, wanted } = market(15)
    expect(served(desk.subscribe(BUYER, { ...wanted, quantity: 2 }, "t"))).toBe("PriceNotCovered")
    expect(served(desk.subscribe(BUYER, { ...wanted, quantity: 6 }, "u"))).toMatch(/PriceNotCovered|PiecesMissing/)
    expect(served(desk.subscribe(BUYER, wanted, "s"))).toBe("SubscriptionCreated")
    clock.jump(WEEK)
    const [id = ""] = desk.due(clock.currentTimeMillisUnsafe())
    run(desk.step(id))
    expect(projection.subscriptions.get(id)).toMatchObject({ status: "past_due", failures: 1 })
  })

  it("renews for its buyer alone and ends for both sides", () => {
    const { desk, served, wanted } = market(100)
    served(desk.subscribe(BUYER, wanted, "s"))
    expect(served(desk.renew(SELLER, { act: "renew", subscription: 0, stranger: true }, "r"))).toBe("NotAllowed")
    expect(served(desk.renew(BUYER, { act: "renew", subscription: 0, stranger: false }, "q"))).toBe(
      "SubscriptionRenewed"
    )
    const end = { act: "cancelSubscription", subscription: 0, stranger: false, atPeriodEnd: true } as const
    expect(served(desk.cancel(BUYER, end, "c"))).toBe("IllegalSubscriptionAct")
  })
})
