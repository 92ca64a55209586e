import { Result } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { evolve as evolveOrder, placed, type PurchaseOrderState } from "../../engine/commerce/PurchaseOrder.ts"
import { cancel, fulfil, pay, place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { type AccountId, accountId } from "../../engine/ledger/Account.ts"
import { Book, type LedgerError } from "../../engine/ledger/Book.ts"
import { custodyOf, walletOf } from "../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { created, declinedRefund, evolve, paymentAccount, type PaymentState } from "../../engine/payments/Payment.ts"
import { type PaymentPlan, type PaymentProviderName } from "../../engine/payments/PaymentPlan.ts"
import { decide } from "../../engine/payments/PaymentDecision.ts"
import type { PaymentError } from "../../engine/payments/PaymentError.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import { nextStep } from "../../engine/payments/PaymentStep.ts"

/** How the world outside behaves at one request: it hears or does not, and its answer arrives or does not. */
type Weather = "clear" | "refuses" | "unheard" | "unanswered"

export const WEATHERS: ReadonlyArray<Weather> = ["clear", "refuses", "unheard", "unanswered"]

const BUYER = { userId: "usr_buyer", companyId: "cmp_buyer" }
export const SELLERS = ["cmp_ada", "cmp_bob"] as const
export const BUYER_WALLET = walletOf(BUYER.userId, "USD")
export const OUTSIDE = custodyOf("USD")
export const walletOfSeller = (companyId: string): AccountId => walletOf(`usr_of_${companyId}`, "USD")

/** What the buyer has at first. */
export const MONEY = fromUnits(500n * ONE)

const unwrap = <A, E>(result: Result.Result<A, E>): A => {
  if (Result.isFailure(result)) throw new Error(JSON.stringify(result.failure, (_, value) => `${value}`))
  return result.success
}

/** A card company on paper: each key is done once, whatever is asked again. */
class Issuer {
  readonly #answers = new Map<string, boolean>()
  readonly captures = new Map<string, bigint>()
  readonly refunds = new Map<string, bigint>()

  ask(key: string, weather: Weather, act: () => void): boolean | undefined {
    if (weather === "unheard") return undefined
    const known = this.#answers.get(key)
    const answer = known ?? weather !== "refuses"
    if (known === undefined) {
      this.#answers.set(key, answer)
      if (answer) act()
    }
    return weather === "unanswered" ? undefined : answer
  }
}

/** An order of two sellers, payments of it, the ledger, and a card company: the engine's decisions without a server. */
export class PaymentScenario {
  readonly book: Book
  readonly issuer = new Issuer()
  readonly payments = new Map<string, PaymentState>()
  readonly events: Array<PaymentEvent> = []
  /** Those of the order among them. */
  readonly log: Array<PaymentEvent | PurchaseOrderEvent> = []
  readonly order: PurchaseOrderState
  #clock = 1

  constructor() {
    const account = (id: AccountId, balance: bigint) => ({
      id,
      balance: fromUnits(balance),
      held: ZERO,
      closed: false
    })
    this.book = new Book([
      account(BUYER_WALLET, MONEY),
      account(OUTSIDE, -MONEY),
      ...SELLERS.map((seller) => account(accountId(seller, "PRODUCT:thing", "stock"), 10n * ONE))
    ])
    const lines = SELLERS.map((sellerId) => ({
      productId: "thing",
      sellerId,
      wallet: walletOfSeller(sellerId),
      quantity: 1,
      unitPrice: PRICE
    }))
    const entry = unwrap(
      place(
        {
          orderId: "pur_1",
          buyer: { companyId: BUYER.companyId, creditLimit: "usr_buyer/USD-CREDIT/credit_limit" },
          lines,
          paymentTerms: { type: "prepaid" }
        },
        { ...BUYER, at: 1 }
      )
    )
    unwrap(this.book.apply(entry.commands))
    this.order = placed(entry.event.terms)
  }

  create(provider: PaymentProviderName, capture: PaymentPlan["capture"]): string {
    const paymentId = `pay_${this.payments.size + 1}`
    const plan: PaymentPlan = {
      paymentId,
      orderId: "pur_1",
      payer: BUYER,
      provider,
      instrument: provider === "wallet" ? null : "approve",
      amount: this.order.terms.total,
      extent: "all",
      capture
    }
    const at = this.#now()
    const event: PaymentEvent = { _tag: "PaymentCreated", at, plan }
    unwrap(decide(undefined, event))
    this.#took(event)
    this.payments.set(paymentId, created(plan, at))
    return paymentId
  }

  /** What the order would take now. */
  takes(): Amount {
    const decided = pay(this.order, { paymentId: "?", from: OUTSIDE, extent: "all" }, { ...BUYER, at: 0 })
    return Result.isSuccess(decided) ? decided.success.event.payment.amount : ZERO
  }

  /** One step of a payment; false where there is none, or where the world outside gave no answer. */
  step(paymentId: string, weather: Weather): boolean {
    const state = this.#state(paymentId)
    const next = nextStep(state, this.takes())
    const { plan } = state
    const at = this.#now()
    const of = { at, paymentId }
    if (next === undefined) return false
    switch (next._tag) {
      case "Authorize":
        return this.#outcome(plan, `${paymentId}/authorize`, weather, () => {}, {
          approved: { _tag: "PaymentAuthorized", ...of, reference: null },
          declined: { _tag: "PaymentFailed", ...of, reason: "declined" }
        })
      case "RequestCapture":
        return this.#take({ _tag: "PaymentCaptureRequested", ...of, userId: null, requestId: null })
      case "RequestVoid":
        return this.#take({
          _tag: "PaymentVoidRequested",
          ...of,
          userId: null,
          requestId: null,
          reason: "order_changed"
        })
      case "Capture":
        return this.#outcome(plan, `${paymentId}/capture`, weather, () => add(this.issuer.captures, plan), {
          approved: { _tag: "PaymentCaptured", ...of },
          declined: { _tag: "PaymentFailed", ...of, reason: "expired" }
        })
      case "Void":
        return this.#outcome(plan, `${paymentId}/void`, weather === "refuses" ? "clear" : weather, () => {}, {
          approved: { _tag: "PaymentVoided", ...of },
          declined: { _tag: "PaymentVoided", ...of }
        })
      case "Apply":
        return this.payOrder(paymentAccount(paymentId), paymentId)
      case "RequestRefund": {
        const refundId = declinedRefund(state)?.refundId ?? `rfd_${state.refunds.size}_${paymentId}`
        return this.#take({ _tag: "PaymentRefundRequested", ...of, refundId, amount: next.amount, seller: null })
      }
      case "Refund": {
        const { amount, attempts, refundId } = next.refund
        const given = () => add(this.issuer.refunds, plan, amount)
        return this.#outcome(plan, `${paymentId}/refund/${refundId}/${attempts}`, weather, given, {
          approved: { _tag: "PaymentRefunded", ...of, refundId },
          declined: { _tag: "PaymentRefundFailed", ...of, refundId, reason: "declined" }
        })
      }
      case "LookForDispute":
        return false
    }
  }

  /** Steps in clear weather until nothing is left to do. */
  settle(): void {
    for (const paymentId of this.payments.keys()) while (this.step(paymentId, "clear"));
  }

  /** A caller's act on a payment; the refusal's tag, or undefined where it was taken. */
  act(paymentId: string, act: "capture" | "void"): string | undefined {
    const of = { at: this.#now(), paymentId, userId: BUYER.userId, requestId: null }
    return this.#try(
      act === "capture"
        ? { _tag: "PaymentCaptureRequested", ...of }
        : { _tag: "PaymentVoidRequested", ...of, reason: "requested" }
    )
  }

  refund(paymentId: string, seller: (typeof SELLERS)[number], amount: Amount): string | undefined {
    const at = this.#now()
    const part = this.partOf(paymentId, seller)
    const by = { userId: `usr_of_${seller}`, companyId: seller, wallet: walletOfSeller(seller), part }
    const refundId = `rfd_s${at}`
    return this.#try({ _tag: "PaymentRefundRequested", at, paymentId, refundId, amount, seller: by })
  }

  partOf(paymentId: string, seller: (typeof SELLERS)[number]): Amount {
    const payment = this.order.payments.find((one) => one.paymentId === paymentId)
    return payment?.parts[SELLERS.indexOf(seller)] ?? ZERO
  }

  dispute(paymentId: string): string | undefined {
    const amount = this.#state(paymentId).plan.amount
    return this.#try({ _tag: "PaymentDisputed", at: this.#now(), paymentId, disputeId: "dsp_1", amount })
  }

  lose(paymentId: string): string | undefined {
    const shares = SELLERS.flatMap((companyId) => {
      const amount = this.#state(paymentId).isReturned ? ZERO : this.partOf(paymentId, companyId)
      return amount > ZERO ? [{ companyId, wallet: walletOfSeller(companyId), amount }] : []
    })
    const at = this.#now()
    return this.#try({ _tag: "PaymentDisputeLost", at, paymentId, disputeId: "dsp_1", shares })
  }

  cancelOrder(): boolean {
    return this.#order(cancel(this.order, "changed", { ...BUYER, at: this.#now() }))
  }

  fulfilOrder(): boolean {
    const acts = SELLERS.map((companyId) =>
      this.#order(fulfil(this.order, { userId: `usr_of_${companyId}`, companyId, at: this.#now() }))
    )
    return acts.every((done) => done)
  }

  payOrder(from: AccountId, paymentId: string): boolean {
    return this.#order(pay(this.order, { paymentId, from, extent: "all" }, { ...BUYER, at: this.#now() }))
  }

  #took(event: PaymentEvent): void {
    this.events.push(event)
    this.log.push(event)
  }

  #now(): number {
    return this.#clock++
  }

  #state(paymentId: string): PaymentState {
    const state = this.payments.get(paymentId)
    if (state === undefined) throw new Error(`no payment ${paymentId}`)
    return state
  }

  #outcome(
    plan: PaymentPlan,
    key: string,
    weather: Weather,
    done: () => void,
    events: { readonly approved: PaymentEvent; readonly declined: PaymentEvent }
  ): boolean {
    const answer = plan.provider === "wallet" ? true : this.issuer.ask(key, weather, done)
    if (answer === undefined) return false
    const refused = this.#try(answer ? events.approved : events.declined)
    if (refused === "InsufficientFunds") {
      return this.#take({ ...events.declined, _tag: "PaymentFailed", reason: "insufficient_funds" } as PaymentEvent)
    }
    if (refused !== undefined) throw new Error(`${key}: ${refused}`)
    return true
  }

  #take(event: PaymentEvent): boolean {
    const refused = this.#try(event)
    if (refused !== undefined) throw new Error(`${event._tag}: ${refused}`)
    return true
  }

  #try(event: PaymentEvent): string | undefined {
    const state = event._tag === "PaymentCreated" ? undefined : this.#state(event.paymentId)
    const written = Result.flatMap(
      decide(state, event),
      ({ commands }): Result.Result<void, PaymentError | LedgerError> => this.book.apply(commands)
    )
    if (Result.isFailure(written)) return written.failure._tag
    if (state !== undefined) evolve(state, event)
    this.#took(event)
    return undefined
  }

  #order(decided: Result.Result<Entry<PurchaseOrderEvent>, unknown>): boolean {
    if (Result.isFailure(decided)) return false
    const { commands, event } = decided.success
    if (Result.isFailure(this.book.apply(commands))) return false
    evolveOrder(this.order, event)
    this.log.push(event)
    for (const payment of this.payments.values()) {
      if (event._tag === "PurchaseOrderPaid" && event.payment.paymentId === payment.plan.paymentId) {
        payment.taken = event.payment.amount
      }
      if (event._tag === "PurchaseOrderCancelled" && payment.taken !== null) payment.isReturned = true
    }
    return true
  }
}

/** What each seller's thing costs: the order costs twice as much. */
export const PRICE = fromUnits(30n * ONE + 10_000n)

const add = (sums: Map<string, bigint>, { amount, paymentId }: PaymentPlan, part: bigint = amount): void => {
  sums.set(paymentId, (sums.get(paymentId) ?? 0n) + part)
}
