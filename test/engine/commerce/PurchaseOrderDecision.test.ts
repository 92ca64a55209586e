import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import type { PaymentTerms } from "../../../engine/commerce/PaymentTerms.ts"
import {
  creditLimitOf,
  creditUsedOf,
  evolve,
  fulfilmentState,
  paidOf,
  paymentState,
  placed,
  type PurchaseOrderState,
  statusOf,
  unpaidOf
} from "../../../engine/commerce/PurchaseOrder.ts"
import { type OrderLine } from "../../../engine/commerce/PurchaseOrderTerms.ts"
import { cancel, fulfil, MAX_LINES, MAX_PIECES, pay, place } from "../../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { productAsset, stockOf } from "../../../engine/commerce/Stock.ts"
import type { Entry } from "../../../engine/actor/Journal.ts"
import { instalmentSchedule } from "../../../engine/commerce/InstalmentSchedule.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf, walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import { type Answer, NaiveMarket } from "../../lib/NaiveMarket.ts"
import { property } from "../../lib/Property.ts"

const COMPANIES = ["ada", "bob", "cyd"] as const
const PRODUCTS = [
  { id: "anvil", seller: "ada", price: 33_333_333n, pieces: 6 },
  { id: "bolt", seller: "bob", price: 10_001n, pieces: 9 },
  { id: "cog", seller: "cyd", price: 7_000_000n, pieces: 4 },
  { id: "clamp", seller: "cyd", price: 1n, pieces: 30 }
] as const
const LIMIT = 150n * ONE
const MONEY = 120n * ONE

const line = fc.record({ product: fc.constantFrom(...PRODUCTS), quantity: fc.integer({ min: 1, max: 3 }) })
const terms = fc.oneof(
  fc.constantFrom<PaymentTerms>({ type: "prepaid" }, { type: "net_30" }),
  fc.record({ type: fc.constant("installments" as const), installments: fc.integer({ min: 2, max: 4 }) })
)
const company = fc.constantFrom(...COMPANIES)
const order = fc.nat(3)
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("place" as const),
      company,
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
      terms
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("pay" as const),
      company,
      order,
      extent: fc.constantFrom("next" as const, "all" as const)
    })
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("fulfil" as const), company, order }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("cancel" as const), company, order }) }
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const naiveSchedule = (total: bigint, chosen: PaymentTerms): Array<bigint> => {
  if (chosen.type !== "installments") return [total]
  const each = (total / (BigInt(chosen.installments) * 10_000n)) * 10_000n
  return Array.from({ length: chosen.installments }, (_, index) =>
    index === 0 ? total - each * BigInt(chosen.installments - 1) : each
  )
}

/** Each seller's own parts, added. */
const naiveOrderSchedule = (lines: ReadonlyArray<OrderLine>, chosen: PaymentTerms): Array<bigint> => {
  const schedules = [...Map.groupBy(lines, ({ sellerId }) => sellerId).values()].map((own) =>
    naiveSchedule(naiveTotal(own), chosen)
  )
  return (schedules[0] ?? []).map((_, index) => schedules.reduce((sum, parts) => sum + (parts[index] ?? 0n), 0n))
}

const naiveTotal = (lines: ReadonlyArray<OrderLine>): bigint =>
  lines.reduce((sum, { quantity, unitPrice }) => sum + unitPrice * BigInt(quantity), 0n)

/** The engine on a ledger beside the market on paper. */
class ModelComparison {
  readonly book: Book
  readonly paper: NaiveMarket
  readonly states = new Map<string, PurchaseOrderState>()
  #payments = 0

  constructor() {
    const account = (id: Parameters<Book["account"]>[0], balance: bigint) => ({
      id,
      balance: fromUnits(balance),
      held: fromUnits(0n),
      closed: false
    })
    this.book = new Book([
      ...COMPANIES.flatMap((name) => [account(walletOf(name, "USD"), MONEY), account(creditLimitOf(name), LIMIT)]),
      ...PRODUCTS.map(({ id, pieces, seller }) => account(stockOf(seller, id), BigInt(pieces) * ONE))
    ])
    this.paper = new NaiveMarket(
      new Map(PRODUCTS.map(({ id, pieces }) => [id, pieces])),
      new Map(COMPANIES.map((name) => [name, LIMIT]))
    )
  }

  take(taken: Step): void {
    if (taken.act === "place") return this.#place(taken)
    const id = [...this.states.keys()][taken.order]
    const state = id === undefined ? undefined : this.states.get(id)
    if (id === undefined || state === undefined) return
    const actor = { userId: `user of ${taken.company}`, companyId: taken.company, at: 1 }
    if (taken.act === "pay") return this.#pay(id, state, taken.extent, actor)
    if (taken.act === "fulfil") {
      return expect(this.#write(state, fulfil(state, actor))).toBe(this.paper.fulfil(id, taken.company))
    }
    const owed = state.terms.sellers.map(({ wallet }, index) => ({
      wallet,
      amount: state.payments.reduce((sum, { parts }) => sum + (parts[index] ?? 0n), 0n)
    }))
    const isShort = owed.some(({ amount, wallet }) => this.book.available(wallet) < amount)
    const expected = this.paper.mayCancel(id, taken.company) ? (isShort ? "short" : "done") : "refused"
    expect(this.#write(state, cancel(state, "changed our mind", actor))).toBe(expected)
    if (expected === "done") this.paper.cancelled(id)
  }

  /** What must be true between any two steps. */
  audit(): void {
    const states = [...this.states.values()]
    for (const { id, pieces, seller } of PRODUCTS) {
      expect(this.book.available(stockOf(seller, id))).toBe(fromUnits(BigInt(this.paper.free(id)) * ONE))
      const gone = this.book.account(custodyOf(productAsset(id))).balance
      expect(gone + this.book.account(stockOf(seller, id)).balance).toBe(fromUnits(BigInt(pieces) * ONE))
    }
    for (const name of COMPANIES) {
      const used = states.filter((state) => state.terms.buyer.companyId === name).map(creditUsedOf)
      const free = this.book.available(creditLimitOf(name))
      expect(free).toBe(fromUnits(this.paper.credit(name)))
      expect(free + used.reduce((sum, amount) => sum + amount, 0n)).toBe(fromUnits(LIMIT))
    }
    for (const name of COMPANIES) expect(this.book.account(walletOf(name, "USD")).balance).toBe(this.#moneyOf(name))
    const money = COMPANIES.reduce((sum, name) => sum + this.book.account(walletOf(name, "USD")).balance, 0n)
    expect(money).toBe(MONEY * BigInt(COMPANIES.length))
    for (const state of states) {
      for (const [index, { subtotal }] of state.terms.sellers.entries()) {
        const received = state.payments.reduce((sum, { parts }) => sum + (parts[index] ?? 0n), 0n)
        expect(received <= subtotal).toBe(true)
        if (paymentState(state) === "paid") expect(received).toBe(subtotal)
      }
      expect(paidOf(state) + (state.isCancelled ? 0n : unpaidOf(state)) <= state.terms.total).toBe(true)
      if (statusOf(state) === "cancelled") expect(fulfilmentState(state)).toBe("cancelled")
    }
  }

  /** What a company has by the payments of orders that stand. */
  #moneyOf(name: string): Amount {
    let money: bigint = MONEY
    for (const { isCancelled, payments, terms } of this.states.values()) {
      if (isCancelled) continue
      for (const { amount, parts } of payments) {
        if (terms.buyer.companyId === name) money -= amount
        money += parts[terms.sellers.findIndex(({ sellerId }) => sellerId === name)] ?? 0n
      }
    }
    return fromUnits(money)
  }

  #place({ company: buyer, lines, terms: paymentTerms }: Step & { act: "place" }): void {
    const foreign = lines.filter(({ product }) => product.seller !== buyer)
    const ordered = foreign.map(({ product, quantity }): OrderLine => ({
      productId: product.id,
      sellerId: product.seller,
      wallet: walletOf(product.seller, "USD"),
      quantity,
      unitPrice: fromUnits(product.price)
    }))
    const subtotals = [...Map.groupBy(ordered, ({ sellerId }) => sellerId).values()].map(naiveTotal)
    const orderId = `order-${this.states.size + 1}`
    const purchase = {
      orderId,
      buyer: { companyId: buyer, creditLimit: creditLimitOf(buyer) },
      lines: ordered,
      paymentTerms
    }
    const decided = place(purchase, { userId: "u", companyId: buyer, at: 1 })
    const parts = paymentTerms.type === "installments" ? BigInt(paymentTerms.installments) : 0n
    if (ordered.length === 0 || subtotals.some((one) => one < parts * 10_000n))
      return expect(Result.isFailure(decided)).toBe(true)
    const entry = Result.getOrThrow(decided)
    const applied = this.book.apply(entry.commands)
    const expected = this.paper.place(orderId, {
      buyer,
      onCredit: paymentTerms.type !== "prepaid",
      lines: ordered.map(({ productId, quantity, sellerId, unitPrice }) => ({
        seller: sellerId,
        product: productId,
        pieces: quantity,
        price: unitPrice
      })),
      instalments: naiveOrderSchedule(ordered, paymentTerms)
    })
    expect(Result.isSuccess(applied) ? "done" : "short").toBe(expected)
    if (expected === "done") this.states.set(orderId, placed(entry.event.terms))
  }

  #pay(id: string, state: PurchaseOrderState, extent: "next" | "all", actor: Parameters<typeof pay>[2]): void {
    const amount = this.paper.owed(id, extent)
    const buyer = state.terms.buyer.companyId
    const from = walletOf(buyer, "USD")
    this.#payments += 1
    const isRefused = amount === undefined || actor.companyId !== buyer
    const expected = isRefused ? "refused" : this.book.available(from) < amount ? "short" : "done"
    const paymentId = `payment-${this.#payments}`
    expect(this.#write(state, pay(state, { paymentId, from, extent }, actor))).toBe(expected)
    if (expected === "done" && amount !== undefined) this.paper.paid(id, amount, extent)
  }

  #write(state: PurchaseOrderState, decided: Result.Result<Entry<PurchaseOrderEvent>, unknown>): Answer {
    if (Result.isFailure(decided)) return "refused"
    const applied = this.book.apply(decided.success.commands)
    if (Result.isFailure(applied)) {
      expect(applied.failure._tag).toBe("InsufficientFunds")
      return "short"
    }
    evolve(state, decided.success.event)
    return "done"
  }
}

describe("PurchaseOrderDecision", () => {
  it("does what a market on paper does, and loses neither money nor goods", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
        const comparison = new ModelComparison()
        for (const taken of steps) {
          comparison.take(taken)
          comparison.audit()
        }
      }),
      property()
    )
  })

  const bought = (lines: ReadonlyArray<Partial<OrderLine>>, paymentTerms: PaymentTerms = { type: "prepaid" }) =>
    place(
      {
        orderId: "order-1",
        buyer: { companyId: "ada", creditLimit: creditLimitOf("ada") },
        lines: lines.map((change) => ({
          productId: "bolt",
          sellerId: "bob",
          wallet: walletOf(change.sellerId ?? "bob", "USD"),
          quantity: 1,
          unitPrice: fromUnits(ONE),
          ...change
        })),
        paymentTerms
      },
      { userId: "usr_1", companyId: "ada", at: 1 }
    )

  it("pays each of many sellers exactly, instalment by instalment", () => {
    const prices = fc.array(fc.bigInt(120_000n, 90_000_000n), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(prices, fc.integer({ min: 2, max: 12 }), (unitPrices, installments) => {
        const lines = unitPrices.map((price, index) => ({ sellerId: `seller-${index}`, unitPrice: fromUnits(price) }))
        const padded = [...lines, { sellerId: "large", unitPrice: fromUnits(ONE) }]
        const state = placed(Result.getOrThrow(bought(padded, { type: "installments", installments })).event.terms)
        for (let paid = 1; paid <= installments; paid++) {
          const payment = { paymentId: `pay-${paid}`, from: walletOf("ada", "USD"), extent: "next" } as const
          evolve(state, Result.getOrThrow(pay(state, payment, { userId: "usr_1", companyId: "ada", at: paid })).event)
        }
        for (const [index, { subtotal }] of state.terms.sellers.entries()) {
          expect(state.payments.reduce((sum, { parts }) => sum + (parts[index] ?? 0n), 0n)).toBe(subtotal)
        }
        expect(paymentState(state)).toBe("paid")
      }),
      property()
    )
  })

  it("goes on paying an order whose instalments were made of the total", () => {
    const lines = [
      { sellerId: "bob", unitPrice: fromUnits(50_000n) },
      { sellerId: "cyd", unitPrice: fromUnits(50_001n) }
    ]
    const { terms } = Result.getOrThrow(bought(lines, { type: "installments", installments: 3 })).event
    const before = instalmentSchedule(terms.total, terms.paymentTerms, terms.placedAt)
    expect(before.map(({ amount }) => amount)).not.toEqual(terms.schedule.map(({ amount }) => amount))
    const state = placed({ ...terms, schedule: before })
    for (const { amount, number } of before) {
      const payment = { paymentId: `pay-${number}`, from: walletOf("ada", "USD"), extent: "next" } as const
      const { event } = Result.getOrThrow(pay(state, payment, { userId: "usr_1", companyId: "ada", at: number }))
      expect(event.payment.parts.reduce((sum, part) => sum + part, 0n)).toBe(amount)
      evolve(state, event)
    }
    for (const [index, { subtotal }] of terms.sellers.entries()) {
      expect(state.payments.reduce((sum, { parts }) => sum + (parts[index] ?? 0n), 0n)).toBe(subtotal)
    }
  })

  it("pays each wallet of a company for its own lines, and takes the company's delivery as one", () => {
    const lines = [
      { wallet: walletOf("usr_1", "USD"), quantity: 2 },
      { wallet: walletOf("usr_2", "USD") },
      { wallet: walletOf("usr_1", "USD") }
    ]
    const state = placed(Result.getOrThrow(bought(lines)).event.terms)
    expect(state.terms.sellers.map(({ subtotal, wallet }) => [wallet, subtotal])).toEqual([
      [walletOf("usr_1", "USD"), fromUnits(3n * ONE)],
      [walletOf("usr_2", "USD"), fromUnits(ONE)]
    ])
    const payment = { paymentId: "pay", from: walletOf("ada", "USD"), extent: "all" } as const
    const { commands, event } = Result.getOrThrow(pay(state, payment, { userId: "usr", companyId: "ada", at: 1 }))
    expect(commands).toHaveLength(2)
    evolve(state, event)
    const delivery = Result.getOrThrow(fulfil(state, { userId: "usr", companyId: "bob", at: 2 }))
    expect(delivery.commands).toMatchObject([{ _tag: "TakeMultiHold", purpose: "goods" }])
    evolve(state, delivery.event)
    expect(fulfilmentState(state)).toBe("fulfilled")
  })

  it.each([
    ["no lines", [], "items"],
    ["too many lines", Array.from({ length: MAX_LINES + 1 }, () => ({})), "items"],
    ["no pieces", [{ quantity: 0 }], "items.0.quantity"],
    ["half a piece", [{}, { quantity: 0.5 }], "items.1.quantity"],
    ["too many pieces", [{ quantity: MAX_PIECES + 1 }], "items.0.quantity"],
    ["one's own goods", [{ sellerId: "ada" }], "items.0.product_id"],
    ["more than there is money", [{ unitPrice: MAX, quantity: 2 }], "items"]
  ])("refuses %s", (_, lines, field) => {
    expect(Result.getFailure(bought(lines))).toMatchObject({ value: { _tag: "InvalidOrder", field } })
  })

  it("refuses more instalments than cents", () => {
    const decided = bought([{ unitPrice: fromUnits(110_000n) }], { type: "installments", installments: 12 })
    expect(Result.getFailure(decided)).toMatchObject({ value: { field: "payment_terms.installments" } })
  })

  it("takes an order of as many lines as one may have", () => {
    const { commands, event } = Result.getOrThrow(bought(Array.from({ length: MAX_LINES }, () => ({}))))
    expect(commands.map((command) => "parts" in command && command.parts.length)).toEqual([MAX_LINES])
    expect(event.terms.total).toBe(fromUnits(BigInt(MAX_LINES) * ONE))
  })

  it("shows no credit used for what is prepaid", () => {
    expect(creditUsedOf(placed(Result.getOrThrow(bought([{}])).event.terms))).toBe(fromUnits(0n))
  })
})
