import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { CreditDesk } from "../../../../engine/simulation/platform/CreditDesk.ts"
import type { WriteEntry, WriteFailure } from "../../../../engine/simulation/platform/DeskWorld.ts"
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

const DAY = 86_400_000

/** The same with a buyer on credit, and what can come between what it orders and the writing of that. */
const lender = () => {
  const made = companyWorld()
  const between: Array<() => Effect.Effect<void, WriteFailure>> = []
  const write: WriteEntry = (entry) => {
    const first = entry.entry.event._tag === "PurchaseOrderPlaced" ? between.shift() : undefined
    const written = made.world.write(entry)
    return first === undefined ? written : Effect.andThen(Effect.suspend(first), written)
  }
  const desk = new TradeDesk({ ...made.world, write }, () => Effect.void)
  made.give(BUYER.userId, "USD", 100)
  const assessed = new CreditDesk(made.world).assess(
    BUYER,
    { act: "assess", income: 90_000, loan: 9_000, times: 1 },
    "a"
  )
  expect(made.served(assessed)).toBe("CreditAssessed")
  expect(made.served(desk.list(SELLER, { act: "list", price: usd(10), pieces: 50 }, "l"))).toBe("ProductListed")
  const wanted = {
    act: "order",
    items: [{ product: 0, quantity: 1 }],
    terms: { type: "net_30" },
    wrong: undefined
  } as const
  const onCredit = (key: string) => made.served(desk.order(BUYER, wanted, key))
  const waylay = (what: () => Effect.Effect<void, WriteFailure>) => void between.push(what)
  return { ...made, desk, one: { order: 0, stranger: false } as const, onCredit, waylay }
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

  it("reminds of what is due, finds it overdue, and takes nothing more on credit until it is paid", () => {
    const { clock, desk, one, onCredit, projection, run, served } = lender()
    expect(onCredit("o")).toBe("PurchaseOrderPlaced")
    const look = () => {
      const due = desk.due(clock.currentTimeMillisUnsafe())
      for (const id of due) run(desk.step(id))
      return due.length
    }
    expect(look()).toBe(0)
    for (const days of [28, 3]) {
      clock.jump(days * DAY)
      expect([look(), look()]).toEqual([1, 0])
    }
    expect(projection.arrears(BUYER.companyId)).toEqual({
      companyId: BUYER.companyId,
      last: 1,
      owed: usd(10),
      first: "pur_2",
      others: 0
    })
    expect(onCredit("o2")).toBe("CreditFrozen")
    expect(served(desk.payOrder(BUYER, { act: "payOrder", extent: "all", ...one }, "p"))).toBe("PurchaseOrderPaid")
    expect(onCredit("o3")).toBe("PurchaseOrderPlaced")
  })

  it("decides an order on credit anew where something is found overdue before it is written", () => {
    const { clock, desk, onCredit, projection, waylay } = lender()
    onCredit("o")
    clock.jump(31 * DAY)
    waylay(() => desk.step("pur_2"))
    expect(onCredit("o2")).toBe("CreditFrozen")
    expect([...projection.orders.values()].map(({ state }) => state.foundOverdue.size)).toEqual([1])
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
