import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { TradeDesk } from "../../../../engine/simulation/platform/TradeDesk.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../../lib/CompanyWorld.ts"

const shop = (pieces = 5) => {
  const made = companyWorld()
  const desk = new TradeDesk(made.world, () => Effect.void)
  made.give(BUYER.userId, "USD", 100)
  expect(made.served(desk.list(SELLER, { act: "list", price: usd(10), pieces }, "l"))).toBe("ProductListed")
  const order = (quantity: number, key: string) =>
    made.served(
      desk.order(
        BUYER,
        { act: "order", items: [{ product: 0, quantity }], terms: { type: "prepaid" }, wrong: undefined },
        key
      )
    )
  const one = { order: 0, stranger: false } as const
  return { ...made, desk, one, order, stock: "co_0/PRODUCT:prd_1/stock" as const }
}

describe("TradeDesk", () => {
  it("sells, is paid and delivers, and the ledger has moved each once", () => {
    const { balance, desk, one, order, served, stock } = shop()
    expect(order(2, "o")).toBe("PurchaseOrderPlaced")
    expect(served(desk.fulfil(SELLER, { act: "fulfil", ...one }, "f"))).toBe("PaymentFirst")
    expect(served(desk.payOrder(BUYER, { act: "payOrder", extent: "all", ...one }, "p"))).toBe("PurchaseOrderPaid")
    expect(served(desk.fulfil(SELLER, { act: "fulfil", ...one }, "f2"))).toBe("PurchaseOrderFulfilled")
    expect(served(desk.cancel(BUYER, { act: "cancelOrder", ...one }, "c"))).toBe("IllegalOrderAct")
    expect([balance("usr_co_1/USD/wallet"), balance("usr_co_0/USD/wallet"), balance(stock)]).toEqual([
      usd(80),
      usd(20),
      usd(3)
    ])
  })

  it("gives back what was paid and reserved where an order is cancelled", () => {
    const { balance, desk, journal, one, order, served, stock } = shop()
    order(2, "o")
    served(desk.payOrder(BUYER, { act: "payOrder", extent: "all", ...one }, "p"))
    expect(served(desk.cancel(SELLER, { act: "cancelOrder", ...one }, "c"))).toBe("PurchaseOrderCancelled")
    expect(balance("usr_co_1/USD/wallet")).toBe(usd(100))
    expect(journal.account(stock)).toMatchObject({ balance: usd(5), held: 0n })
  })

  it("refuses what there is too little of, and what is nobody's business", () => {
    const { desk, order, served } = shop(1)
    expect(order(2, "o")).toBe("OutOfStock")
    expect(order(1, "p")).toBe("PurchaseOrderPlaced")
    const stranger = { companyId: "co_9", userId: "usr_co_9" }
    expect(served(desk.fulfil(stranger, { act: "fulfil", order: 0, stranger: true }, "f"))).toBe("NotAParty")
    const wrong = { act: "order", items: [{ product: 0, quantity: 1 }], terms: { type: "prepaid" } } as const
    expect(served(desk.order(BUYER, { ...wrong, wrong: "unknown" }, "u"))).toBe("ItemNotFound")
    expect(served(desk.order(SELLER, { ...wrong, wrong: "own" }, "w"))).toBe("InvalidOrder")
  })

  it("takes a request that comes again for the same, whatever else is ready by then", () => {
    const { desk, order, projection, served } = shop()
    const payment = { act: "payOrder", extent: "all", order: 1, stranger: false } as const
    order(1, "o")
    expect(served(desk.payOrder(BUYER, payment, "p"))).toBe("PurchaseOrderPaid")
    order(1, "o2")
    expect(served(desk.payOrder(BUYER, payment, "p"))).toBe("AlreadyDone")
    expect([...projection.orders.values()].map(({ state }) => state.payments.length)).toEqual([1, 0])
  })

  it("lets nobody revise what is another company's", () => {
    const { desk, served } = shop()
    const revision = { act: "revise", product: 0, stranger: true, price: usd(11), available: 7, keys: 0 } as const
    expect(served(desk.revise(BUYER, revision, "r"))).toBe("NoProduct")
  })

  it("keeps as many keys of its own with a product as one may have, and no more", () => {
    const { desk, projection, served } = shop()
    const revision = { act: "revise", product: 0, stranger: false, price: usd(11), available: 7, keys: 3 } as const
    expect(served(desk.revise(SELLER, revision, "r"))).toBe("ProductRevised")
    const [product] = projection.products.values()
    expect(Object.keys(product?.metadata ?? {})).toEqual(["key_0", "key_1", "key_2"])
    expect(served(desk.revise(SELLER, { ...revision, keys: 21 }, "r2"))).toBe("TooMuchMetadata")
  })

  it("sets the pieces that are available, beside those that orders hold", () => {
    const { desk, journal, order, served, stock } = shop()
    order(2, "o")
    const revision = { act: "revise", product: 0, stranger: false, price: usd(11), available: 7, keys: 0 } as const
    expect(served(desk.revise(SELLER, revision, "r"))).toBe("ProductRevised")
    expect(journal.account(stock)).toMatchObject({ balance: usd(9), held: usd(2) })
  })
})
