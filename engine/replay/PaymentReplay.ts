import { Result } from "effect"
import type { Command } from "../ledger/Command.ts"
import { paymentStream } from "../payments/Payment.ts"
import { decide } from "../payments/PaymentDecision.ts"
import type { PaymentError } from "../payments/PaymentError.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import { type KeptPayment, type OrderPayments, paymentRow, paymentsAfter, refundRow } from "../payments/PaymentRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { PlatformEvent } from "./PlatformEvent.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** The commands and rows of payments, and what the orders' events say of them. */
export class PaymentReplay implements FamilyReplay<PaymentEvent> {
  readonly #sink: RowSink
  readonly #orders = new Map<string, OrderPayments>()
  /** The order of each payment. */
  readonly #orderOf = new Map<string, string>()
  /** The last event that changed each payment. */
  readonly #last = new Map<string, StoredEvent>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** The commands of a recorded event, or why its payment does not take it. */
  decide(event: PaymentEvent, { stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const paymentId = idOf(event)
    const expected = paymentStream(paymentId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    const decided = decide(this.#find(paymentId)?.state, event)
    return Result.isSuccess(decided)
      ? Result.succeed(decided.success.commands)
      : Result.fail(`is refused: ${refused(decided.failure)}`)
  }

  evolve(event: PaymentEvent, stored: StoredEvent): void {
    const orderId = event._tag === "PaymentCreated" ? event.plan.orderId : this.#orderOf.get(event.paymentId)
    if (orderId !== undefined) this.#take(orderId, event, stored)
  }

  /** What an order says of its payments. */
  hear(event: PlatformEvent, stored: StoredEvent): void {
    if (event._tag === "PurchaseOrderPaid" || event._tag === "PurchaseOrderCancelled") {
      this.#take(event.orderId, event, stored)
    }
  }

  finish(): void {
    if (this.#sink.history) return
    for (const [paymentId, last] of this.#last) {
      const payment = this.#find(paymentId)
      if (payment !== undefined) this.#put(payment, last)
    }
  }

  #find(paymentId: string): KeptPayment | undefined {
    return this.#orders.get(this.#orderOf.get(paymentId) ?? "")?.payments.get(paymentId)
  }

  #take(orderId: string, event: PlatformEvent, stored: StoredEvent): void {
    const before = this.#orders.get(orderId)
    const order = paymentsAfter(before, { event, seq: stored.seq })
    this.#orders.set(orderId, order)
    for (const [paymentId, payment] of order.payments) {
      // What was heard and changes nothing leaves the state itself.
      if (before?.payments.get(paymentId)?.state === payment.state) continue
      this.#orderOf.set(paymentId, orderId)
      this.#last.set(paymentId, stored)
      if (this.#sink.history) this.#put(payment, stored)
    }
  }

  #put({ changedAt, state }: KeptPayment, event: StoredEvent): void {
    this.#sink.put(paymentRow(state, changedAt), event)
    for (const refund of state.refunds.values()) this.#sink.put(refundRow(state.plan.paymentId, refund), event)
  }
}

const idOf = (event: PaymentEvent): string => (event._tag === "PaymentCreated" ? event.plan.paymentId : event.paymentId)

const refused = (error: PaymentError): string => {
  switch (error._tag) {
    case "IllegalPaymentAct":
      return `a payment that is ${error.stage} does not take it`
    case "RefundTooLarge":
      return `only ${error.left} (10⁻⁶) can be given back`
    case "PaymentContested":
      return "the payer's bank decides about the money"
    case "TooManyRefunds":
      return `a payment has at most ${error.most} refunds by sellers`
  }
}
