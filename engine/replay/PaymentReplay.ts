import { Result } from "effect"
import type { PurchaseOrderCancelled, PurchaseOrderPaid } from "../commerce/PurchaseOrderEvent.ts"
import type { Command } from "../ledger/Command.ts"
import { created, evolve, paidDirectly, paymentAccount, type PaymentState, paymentStream } from "../payments/Payment.ts"
import { decide } from "../payments/PaymentDecision.ts"
import type { PaymentError } from "../payments/PaymentError.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import { paymentRow, refundRow } from "./PaymentRows.ts"
import type { PlatformEvent } from "./PlatformEvent.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Held {
  readonly state: PaymentState
  changedAt: number
  event: StoredEvent
}

/** The commands and rows of payments, and what the orders' events say of them. */
export class PaymentReplay implements FamilyReplay<PaymentEvent> {
  readonly #sink: RowSink
  readonly #payments = new Map<string, Held>()
  readonly #ofOrder = new Map<string, Array<Held>>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** The commands of a recorded event, or why its payment does not take it. */
  decide(event: PaymentEvent, { stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const paymentId = idOf(event)
    const expected = paymentStream(paymentId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    const decided = decide(this.#payments.get(paymentId)?.state, event)
    return Result.isSuccess(decided)
      ? Result.succeed(decided.success.commands)
      : Result.fail(`is refused: ${refused(decided.failure)}`)
  }

  evolve(event: PaymentEvent, stored: StoredEvent): void {
    const held = this.#payments.get(idOf(event))
    if (event._tag === "PaymentCreated") this.#add(created(event.plan, event.at), event.at, stored)
    else if (held !== undefined) {
      evolve(held.state, event)
      this.#changed(held, event.at, stored)
    }
  }

  /** What an order says of its payments. */
  hear(event: PlatformEvent, stored: StoredEvent): void {
    if (event._tag === "PurchaseOrderPaid") this.#orderPaid(event, stored)
    if (event._tag === "PurchaseOrderCancelled") this.#orderCancelled(event, stored)
  }

  /** Takes an order's payment: one of ours, or one that a wallet made at once. */
  #orderPaid({ at, companyId, orderId, payment, userId }: PurchaseOrderPaid, stored: StoredEvent): void {
    const held = this.#payments.get(payment.paymentId)
    if (held === undefined) this.#add(paidDirectly(orderId, { userId, companyId }, payment, at), at, stored)
    else if (payment.from === paymentAccount(payment.paymentId)) {
      held.state.taken = payment.amount
      this.#changed(held, at, stored)
    }
  }

  /** What the order took is back where it came from. */
  #orderCancelled({ at, orderId }: PurchaseOrderCancelled, stored: StoredEvent): void {
    for (const held of this.#ofOrder.get(orderId) ?? []) {
      if (held.state.taken === null) continue
      held.state.isReturned = true
      this.#changed(held, at, stored)
    }
  }

  finish(): void {
    if (this.#sink.history) return
    for (const held of this.#payments.values()) this.#put(held)
  }

  #add(state: PaymentState, at: number, stored: StoredEvent): void {
    const held = { state, changedAt: at, event: stored }
    const { orderId, paymentId } = state.plan
    this.#payments.set(paymentId, held)
    const others = this.#ofOrder.get(orderId)
    if (others === undefined) this.#ofOrder.set(orderId, [held])
    else others.push(held)
    this.#changed(held, at, stored)
  }

  #changed(held: Held, at: number, stored: StoredEvent): void {
    held.changedAt = at
    held.event = stored
    if (this.#sink.history) this.#put(held)
  }

  #put({ changedAt, event, state }: Held): void {
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
