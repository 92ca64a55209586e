import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { arrearsIn, isFrozen } from "../../../engine/commerce/Arrears.ts"
import { summaryObject, summaryOf } from "../../../engine/commerce/OrderObject.ts"
import { dueStep, nextDueOf, REMINDER_LEAD } from "../../../engine/commerce/OverdueDecision.ts"
import type { PaymentTerms } from "../../../engine/commerce/PaymentTerms.ts"
import { creditLimitOf } from "../../../engine/commerce/PurchaseOrder.ts"
import { cancel, fulfil, pay, place } from "../../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { begun, type PurchaseRecord, record } from "../../../engine/commerce/PurchaseRecord.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000
const START = 1_800_000_000_000
const BUYER = "ada"
const SELLER = "bob"

const terms = fc.oneof(
  fc.constantFrom<PaymentTerms>({ type: "prepaid" }, { type: "net_30" }, { type: "net_60" }),
  fc.record({ type: fc.constant("installments" as const), installments: fc.integer({ min: 2, max: 12 }) })
)

const step = fc.oneof(
  fc.record({ act: fc.constant("place" as const), terms }),
  fc.record({ act: fc.constant("pay" as const), order: fc.nat(9), extent: fc.constantFrom("next", "all") }),
  fc.record({ act: fc.constantFrom("cancel" as const, "fulfil" as const), order: fc.nat(9) }),
  fc.record({ act: fc.constant("look" as const) }),
  fc.record({ act: fc.constant("look" as const) })
)

/** Milliseconds that pass before a step; some come to a due date or a reminder's to the millisecond. */
const passing = fc.oneof(
  fc.constantFrom(0, 1, DAY, 3 * DAY, 26 * DAY, 27 * DAY, 28 * DAY, 30 * DAY, 31 * DAY, 90 * DAY),
  fc.integer({ min: 0, max: 45 * DAY })
)

/** An instalment as somebody with a diary knows it. */
interface Noted {
  readonly order: number
  readonly number: number
  readonly dueAt: number
  readonly amount: bigint
  isPaid: boolean
  isCancelled: boolean
  wasReminded: boolean
  wasOverdue: boolean
}

const placedAt = (orders: ReadonlyArray<PurchaseRecord>, paymentTerms: PaymentTerms, at: number) => {
  const buyer = { companyId: BUYER, creditLimit: creditLimitOf("usr_ada") }
  const wallet = walletOf("usr_bob", "USD")
  const line = { productId: "prd_1", sellerId: SELLER, wallet, quantity: 12, unitPrice: fromUnits(ONE) }
  const purchase = { orderId: `pur_${orders.length}`, buyer, lines: [line], paymentTerms }
  return begun(Result.getOrThrow(place(purchase, { userId: "usr_ada", companyId: BUYER, at })).event)
}

/** The orders of a company on the engine, beside a diary of their instalments. */
class Diary {
  readonly orders: Array<PurchaseRecord> = []
  readonly noted: Array<Noted> = []
  now = START

  place(paymentTerms: PaymentTerms): void {
    const order = placedAt(this.orders, paymentTerms, this.now)
    if (paymentTerms.type !== "prepaid") {
      for (const { amount, dueAt, number } of order.state.terms.schedule) {
        const first = { isPaid: false, isCancelled: false, wasReminded: false, wasOverdue: false }
        this.noted.push({ order: this.orders.length, number, dueAt, amount, ...first })
      }
    }
    this.orders.push(order)
  }

  act(number: number, act: "cancel" | "fulfil" | "pay", extent: "next" | "all" = "all"): void {
    if (this.orders.length === 0) return
    const order = this.orders[number % this.orders.length]!
    const own = this.noted.filter((one) => one.order === number % this.orders.length)
    const by = (companyId: string) => ({ userId: `usr_${companyId}`, companyId, at: this.now })
    const payment = { paymentId: `pay_${order.state.version}`, from: walletOf("usr_ada", "USD"), extent }
    const decided: Result.Result<{ readonly event: PurchaseOrderEvent }, unknown> = {
      cancel: () => cancel(order.state, "", by(BUYER)),
      fulfil: () => fulfil(order.state, by(SELLER)),
      pay: () => pay(order.state, payment, by(BUYER))
    }[act]()
    if (Result.isFailure(decided)) return
    record(order, decided.success.event)
    const open = own.filter(({ isPaid }) => !isPaid)
    if (act === "pay") for (const one of extent === "all" ? open : open.slice(0, 1)) one.isPaid = true
    if (act === "cancel") for (const one of own) one.isCancelled = true
  }

  /** Takes every step that is due, each of which the diary must have expected. */
  look(): void {
    for (const [index, order] of this.orders.entries()) {
      for (let entry = dueStep(order.state, this.now); entry !== undefined; entry = dueStep(order.state, this.now)) {
        expect(entry.commands).toEqual([])
        const { _tag, instalment } = entry.event
        const one = this.noted.find(({ number, order: of }) => of === index && number === instalment)
        if (one === undefined) throw new Error(`nothing is owed of ${index}/${instalment}`)
        expect([one.isPaid, one.isCancelled, one.wasOverdue]).toEqual([false, false, false])
        if (_tag === "PurchaseOrderPaymentDue") {
          expect(one.wasReminded).toBe(false)
          expect(this.now).toBeWithin(one.dueAt - REMINDER_LEAD, one.dueAt + 1)
          one.wasReminded = true
        } else {
          expect(this.now).toBeGreaterThan(one.dueAt)
          one.wasOverdue = true
        }
        record(order, entry.event)
      }
    }
    for (const one of this.noted) {
      if (one.isPaid || one.isCancelled) continue
      if (this.now > one.dueAt) expect(one.wasOverdue).toBe(true)
      else if (this.now >= one.dueAt - REMINDER_LEAD) expect(one.wasReminded).toBe(true)
    }
  }

  /** What the engine says is overdue is what the diary says. */
  compare(): void {
    const overdue = this.noted.filter((one) => one.wasOverdue && !one.isPaid && !one.isCancelled)
    const arrears = arrearsIn(
      BUYER,
      0,
      this.orders.map(({ state }) => state)
    )
    expect(isFrozen(arrears)).toBe(overdue.length > 0)
    expect(arrears.owed).toBe(fromUnits(overdue.reduce((sum, { amount }) => sum + amount, 0n)))
    const owing = new Set(overdue.map(({ order }) => order))
    expect([arrears.first, arrears.others]).toEqual([
      owing.size === 0 ? undefined : `pur_${Math.min(...owing)}`,
      Math.max(0, owing.size - 1)
    ])
    for (const { state } of this.orders) {
      const at = nextDueOf(state)
      expect(at === null || dueStep(state, at - 1) === undefined).toBe(true)
      expect(dueStep(state, at ?? Number.MAX_SAFE_INTEGER) === undefined).toBe(at === null)
    }
    for (const [index, order] of this.orders.entries()) {
      const { overdue: shown, payment_terms: shownTerms } = summaryObject(summaryOf(order))
      const own = overdue.filter((one) => one.order === index).map(({ number }) => number)
      expect(shown).toBe(own.length > 0)
      const since = shownTerms.schedule.filter((one) => one.overdue_since !== null)
      expect(since.map(({ number }) => number)).toEqual(own)
      expect(since.every(({ due_at, overdue_since }) => overdue_since === due_at)).toBe(true)
    }
  }
}

describe("dueStep", () => {
  it("reminds once in time, finds overdue exactly what is due and unpaid, and freezes for as long as that is", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(passing, step), { maxLength: 25 }), (steps) => {
        const diary = new Diary()
        for (const [passed, taken] of steps) {
          diary.now += passed
          if (taken.act === "place") diary.place(taken.terms)
          else if (taken.act === "look") diary.look()
          else if (taken.act === "pay") diary.act(taken.order, "pay", taken.extent as "next" | "all")
          else diary.act(taken.order, taken.act)
          diary.compare()
        }
      }),
      property(2)
    )
  })

  const at = (days: number, millis = 0) => START + days * DAY + millis
  const net30 = () => placedAt([], { type: "net_30" }, START)
  const tagAt = (order: PurchaseRecord, now: number) => dueStep(order.state, now)?.event._tag

  it("begins three days before the date, to the millisecond, and takes a payment at the date for one in time", () => {
    const order = net30()
    expect(tagAt(order, at(27, -1))).toBeUndefined()
    expect(tagAt(order, at(27))).toBe("PurchaseOrderPaymentDue")
    expect(tagAt(order, at(30))).toBe("PurchaseOrderPaymentDue")
    expect(tagAt(order, at(30, 1))).toBe("PurchaseOrderOverdue")
    record(order, dueStep(order.state, at(30))!.event)
    expect(tagAt(order, at(30))).toBeUndefined()
    expect(tagAt(order, at(30, 1))).toBe("PurchaseOrderOverdue")
    record(order, dueStep(order.state, at(30, 1))!.event)
    expect(tagAt(order, at(300))).toBeUndefined()
  })

  it("is nothing of an order that is prepaid, however long it is not paid", () => {
    expect(tagAt(placedAt([], { type: "prepaid" }, START), at(300))).toBeUndefined()
  })
})
