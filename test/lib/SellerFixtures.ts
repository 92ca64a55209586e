import { Result } from "effect"
import fc from "fast-check"
import { creditLimitOf, evolve, placed } from "../../engine/commerce/PurchaseOrder.ts"
import { type OrderLine } from "../../engine/commerce/PurchaseOrderTerms.ts"
import { dueStep } from "../../engine/commerce/OverdueDecision.ts"
import { type ActingUser, cancel, fulfil, pay, place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { paymentAccount } from "../../engine/payments/Payment.ts"
import { type PaymentPlan } from "../../engine/payments/PaymentPlan.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"

export const BUYER = "ada"

/** The seller whose eyes look. */
export const SELLER = "bob"

export const ORDER = "pur_1"

interface Step {
  readonly act: "next" | "all" | "fulfil" | "others" | "cancel" | "refund" | "others refund" | "look"
  /** Days that pass before it. */
  readonly days: number
  readonly isDirect: boolean
  readonly dollars: bigint
}

/** What happens to an order: to the seller whose eyes look and to the buyer, and what only others do. */
interface Plot {
  readonly terms: PaymentTerms
  readonly own: ReadonlyArray<OrderLine>
  readonly steps: ReadonlyArray<Step>
}

/** What an order and its payments were told as. */
export interface Story {
  readonly order: ReadonlyArray<PurchaseOrderEvent>
  readonly payments: ReadonlyMap<string, ReadonlyArray<PaymentEvent>>
}

const lineOf = (sellers: ReadonlyArray<string>): fc.Arbitrary<OrderLine> =>
  fc
    .record({
      productId: fc.constantFrom("prd_1", "prd_2", "prd_3"),
      sellerId: fc.constantFrom(...sellers),
      wallet: fc.constantFrom("usr_1", "usr_2"),
      quantity: fc.integer({ min: 1, max: 900 }),
      unitPrice: fc.bigInt(120_000n, 90_000_000n).map(fromUnits)
    })
    .map((line) => ({ ...line, wallet: walletOf(`${line.sellerId} ${line.wallet}`, "USD") }))

const terms = fc.oneof(
  fc.constantFrom<PaymentTerms>({ type: "prepaid" }, { type: "net_30" }),
  fc.record({ type: fc.constant("installments" as const), installments: fc.integer({ min: 2, max: 12 }) })
)

const acts = ["next", "next", "all", "fulfil", "others", "cancel", "refund", "others refund", "look", "look"] as const

const step = fc.record({
  act: fc.constantFrom(...acts),
  days: fc.constantFrom(0, 0, 1, 29, 33),
  isDirect: fc.boolean(),
  dollars: fc.bigInt(1n, 90n)
})

/** What the buyer and the seller agree on and do. */
export const anyPlot: fc.Arbitrary<Plot> = fc.record({
  terms,
  own: fc.array(lineOf([SELLER]), { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { maxLength: 10 })
})

/** What others sell beside it. */
export const anyOthers = fc.array(lineOf(["cyd", "dan"]), { maxLength: 4 })

const actor = (companyId: string, at: number): ActingUser => ({ userId: `usr_${companyId}`, companyId, at })

/** Plays a plot with what others sell; what only others do is done `othersAct`. */
class SellerScenario {
  readonly #order: Array<PurchaseOrderEvent> = []
  readonly #payments = new Map<string, Array<PaymentEvent>>()
  readonly #state

  constructor({ own, terms: paymentTerms }: Plot, others: ReadonlyArray<OrderLine>) {
    const lines = others.flatMap((line, index) => [line, ...own.slice(index, index + 1)])
    lines.push(...own.slice(others.length))
    const buyer = { companyId: BUYER, creditLimit: creditLimitOf("usr_ada") }
    const { event } = Result.getOrThrow(place({ orderId: ORDER, buyer, lines, paymentTerms }, actor(BUYER, 1)))
    this.#order.push(event)
    this.#state = placed(event.terms)
  }

  get story(): Story {
    return { order: this.#order, payments: this.#payments }
  }

  #record(decided: Result.Result<{ readonly event: PurchaseOrderEvent }, unknown>): PurchaseOrderEvent | undefined {
    if (Result.isFailure(decided)) return undefined
    evolve(this.#state, decided.success.event)
    this.#order.push(decided.success.event)
    return decided.success.event
  }

  /** Plays a step at a time; those of others only where they are to act. */
  play({ act, dollars, isDirect }: Step, at: number, othersAct: boolean): void {
    switch (act) {
      case "next":
      case "all":
        return this.#pay(act, isDirect, at)
      case "fulfil":
        return void this.#record(fulfil(this.#state, actor(SELLER, at)))
      case "cancel":
        return this.#cancel(at)
      case "refund":
        return this.#refund(SELLER, dollars, at)
      case "others":
        if (othersAct) for (const one of ["cyd", "dan"]) this.#record(fulfil(this.#state, actor(one, at)))
        return
      case "others refund":
        if (othersAct) for (const one of ["cyd", "dan"]) this.#refund(one, dollars, at)
        return
      case "look":
        this.#record(Result.fromNullishOr(dueStep(this.#state, at), () => "nothing was due"))
    }
  }

  #pay(extent: "next" | "all", isDirect: boolean, at: number): void {
    const paymentId = `pay_${at}`
    const from = isDirect ? walletOf("usr_ada", "USD") : paymentAccount(paymentId)
    const paid = this.#record(pay(this.#state, { paymentId, from, extent }, actor(BUYER, at)))
    if (isDirect || paid?._tag !== "PurchaseOrderPaid") return
    const payer = { userId: "usr_ada", companyId: BUYER }
    const { amount } = paid.payment
    const plan: PaymentPlan = {
      paymentId,
      orderId: ORDER,
      payer,
      provider: "stripe",
      instrument: "pm_secret",
      amount,
      extent,
      capture: "automatic"
    }
    this.#payments.set(paymentId, [
      { _tag: "PaymentCreated", at, plan },
      { _tag: "PaymentAuthorized", at, paymentId, reference: "pi_secret" },
      { _tag: "PaymentCaptured", at, paymentId }
    ])
  }

  /** Cancelling gives every payment of a provider back whole. */
  #cancel(at: number): void {
    if (this.#record(cancel(this.#state, "changed our mind", actor(BUYER, at))) === undefined) return
    for (const [paymentId, events] of this.#payments) {
      const first = events[0]
      const amount = first?._tag === "PaymentCreated" ? first.plan.amount : fromUnits(0n)
      const refundId = `rfd_${paymentId}`
      events.push(
        { _tag: "PaymentRefundRequested", at, paymentId, refundId, amount, seller: null },
        { _tag: "PaymentRefunded", at, paymentId, refundId }
      )
    }
  }

  #refund(companyId: string, dollars: bigint, at: number): void {
    const payment = this.#state.payments.at(-1)
    const index = this.#state.terms.sellers.findIndex(({ sellerId }) => sellerId === companyId)
    const part: Amount | undefined = payment?.parts[index]
    const share = this.#state.terms.sellers[index]
    if (payment === undefined || share === undefined || part === undefined) return
    if (!this.#state.fulfilledBy.has(companyId)) return
    const { paymentId } = payment
    const refundId = `rfd_${companyId}_${at}`
    const seller = { userId: `usr_${companyId}`, companyId, wallet: share.wallet, part }
    const given = { _tag: "PaymentRefundRequested", at, paymentId, refundId, orderId: ORDER, seller } as const
    const events = this.#payments.get(paymentId) ?? []
    events.push(
      { ...given, amount: fromUnits((part * dollars) / 1_000n + 1n) },
      { _tag: "PaymentRefunded", at, paymentId, refundId }
    )
    this.#payments.set(paymentId, events)
  }
}

/** Where others deliver, an order can no longer be cancelled: what is done together is not played beside it. */
const isJoint = ({ steps }: Plot): boolean => steps.some(({ act }) => act === "cancel")

export const playedBy = (plot: Plot, others: ReadonlyArray<OrderLine>, othersAct: boolean): Story => {
  const play = new SellerScenario(plot, others)
  let at = 1
  for (const taken of plot.steps) {
    at += 1 + taken.days * 86_400_000
    play.play(taken, at, othersAct && !isJoint(plot))
  }
  return play.story
}
