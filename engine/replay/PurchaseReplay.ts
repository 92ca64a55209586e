import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Entry } from "../actor/Journal.ts"
import { isOnCredit } from "../commerce/PaymentTerms.ts"
import { overdueAmountOf, type PurchaseOrderState, purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import { cancel, fulfil, pay, place } from "../commerce/PurchaseOrderDecision.ts"
import { dueStep } from "../commerce/OverdueDecision.ts"
import type { PurchaseOrderEvent, PurchaseOrderPaid } from "../commerce/PurchaseOrderEvent.ts"
import type { PurchaseOrderTerms } from "../commerce/PurchaseOrderTerms.ts"
import { purchaseRows } from "../commerce/PurchaseRows.ts"
import { begun, type PurchaseRecord, record } from "../commerce/PurchaseRecord.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/**
 * Purchase orders as their events make them: each decision is made again on the state that the events before it left,
 * and must be the recorded one byte for byte. Prices are taken as they are recorded.
 */
export class PurchaseReplay implements FamilyReplay<PurchaseOrderEvent> {
  readonly #sink: RowSink
  readonly #orders = new Map<string, { readonly order: PurchaseRecord; last: StoredEvent }>()

  /** By company that buys, and by limit that is used: the orders of which something is overdue. */
  readonly #owing = new Map<string, Set<string>>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(event: PurchaseOrderEvent, { data, stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const orderId = orderOf(event)
    if (stream !== purchaseOrderStream(orderId)) {
      return Result.fail(`is about order ${orderId} and stands in another stream`)
    }
    const frozen = event._tag === "PurchaseOrderPlaced" ? this.#overdueBeside(event.terms) : undefined
    if (frozen !== undefined) return Result.fail(`is on credit while something of ${frozen} is overdue`)
    const decided = decideAgain(this.#orders.get(orderId)?.order.state, event)
    if (Result.isFailure(decided)) return Result.fail(`cannot happen to the order: ${decided.failure}`)
    return encodeEvent(decided.success.event) === data
      ? Result.succeed(decided.success.commands)
      : Result.fail("is not what the rules decide")
  }

  evolve(event: PurchaseOrderEvent, stored: StoredEvent): void {
    const orderId = orderOf(event)
    if (event._tag === "PurchaseOrderPlaced") this.#orders.set(orderId, { order: begun(event), last: stored })
    const kept = this.#orders.get(orderId)
    if (kept === undefined) return
    kept.last = stored
    if (event._tag !== "PurchaseOrderPlaced") record(kept.order, event)
    this.#note(kept.order.state)
    if (!this.#sink.history) return
    for (const row of purchaseRows(kept.order)) this.#sink.put(row, stored)
  }

  /** An order of which something is overdue that an order on credit cannot be placed beside. */
  #overdueBeside({ buyer, paymentTerms }: PurchaseOrderTerms): string | undefined {
    if (!isOnCredit(paymentTerms)) return undefined
    for (const key of [buyer.companyId, buyer.creditLimit])
      for (const orderId of this.#owing.get(key) ?? []) return orderId
    return undefined
  }

  #note(state: PurchaseOrderState): void {
    const { buyer, orderId } = state.terms
    const isOwing = overdueAmountOf(state) > 0n
    for (const key of [buyer.companyId, buyer.creditLimit]) {
      const known = this.#owing.get(key)
      if (!isOwing) known?.delete(orderId)
      else if (known === undefined) this.#owing.set(key, new Set([orderId]))
      else known.add(orderId)
    }
  }

  finish(): void {
    if (this.#sink.history) return
    for (const { last, order } of this.#orders.values())
      for (const row of purchaseRows(order)) this.#sink.put(row, last)
  }
}

const orderOf = (event: PurchaseOrderEvent): string =>
  event._tag === "PurchaseOrderPlaced" ? event.terms.orderId : event.orderId

type Again = Result.Result<Entry<PurchaseOrderEvent>, string>

const reasonOf = ({ _tag }: { readonly _tag: string }): string => _tag

const decideAgain = (state: PurchaseOrderState | undefined, event: PurchaseOrderEvent): Again => {
  if (event._tag === "PurchaseOrderPlaced") {
    return state === undefined
      ? Result.mapError(place(event.terms, event), reasonOf)
      : Result.fail("it was placed before")
  }
  if (state === undefined) return Result.fail("it was not placed")
  switch (event._tag) {
    case "PurchaseOrderPaid":
      return payAgain(state, event)
    case "PurchaseOrderFulfilled":
      return Result.mapError(fulfil(state, event), reasonOf)
    case "PurchaseOrderCancelled":
      return Result.mapError(cancel(state, event.reason, event), reasonOf)
    case "PurchaseOrderPaymentDue":
    case "PurchaseOrderOverdue":
      return Result.fromNullishOr(dueStep(state, event.at), () => "nothing was due")
  }
}

/** A payment of more than one instalment is one of all that is left. */
const payAgain = (state: PurchaseOrderState, event: PurchaseOrderPaid): Again => {
  const { from, instalments, paymentId } = event.payment
  const extent = instalments.length > 1 ? "all" : "next"
  return Result.mapError(pay(state, { paymentId, from, extent }, event), reasonOf)
}
