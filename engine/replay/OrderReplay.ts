import { Result } from "effect"
import type { ArenaEvent } from "../arena/ArenaEvent.ts"
import { evolve, opened, type OrderState, orderStream } from "../arena/Order.ts"
import type { Command } from "../ledger/Command.ts"
import { decideAgain } from "./OrderDecision.ts"
import type { Accrual } from "./OrderFactsOf.ts"
import { commitmentRow, commitmentRows, orderRow, type ReplayedOrder } from "../arena/OrderRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"
import { type Locked, lockedBy, NONE_LOCKED, VaultReplay } from "./VaultReplay.ts"

/** The orders as their events make them. A settled order is put away with its commitments. */
export class OrderReplay implements FamilyReplay<ArenaEvent> {
  readonly #sink: RowSink
  readonly #accrual: Accrual | undefined
  readonly #vault: VaultReplay
  readonly #live = new Map<string, ReplayedOrder & { last: StoredEvent }>()

  /** @param accrual - what collateral earned; undefined takes the recorded yields */
  constructor(sink: RowSink, accrual: Accrual | undefined) {
    this.#sink = sink
    this.#accrual = accrual
    this.#vault = new VaultReplay(sink)
  }

  /** Decides the event again: its commands to the ledger, or what is wrong with it. */
  decide(event: ArenaEvent, { stream, data }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const orderId = orderOf(event)
    return stream === orderStream(orderId)
      ? decideAgain(this.#live.get(orderId)?.state, event, data, this.#accrual)
      : Result.fail(`is about order ${orderId} and stands in another stream`)
  }

  /** Applies an event that was decided again. */
  evolve(event: ArenaEvent, stored: StoredEvent): void {
    const orderId = orderOf(event)
    if (event._tag === "OrderOpened") {
      this.#live.set(orderId, { state: opened(event.terms), submitted: new Map(), ending: undefined, last: stored })
    }
    const order = this.#live.get(orderId)
    if (order === undefined) return
    order.last = stored
    if (event._tag !== "OrderOpened") this.#change(order, event, stored)
    if (this.#sink.history) this.#putChanged(order, event, stored)
    if (order.ending === undefined) return
    this.#live.delete(orderId)
    if (!this.#sink.history) this.#put(order, stored)
  }

  /** Puts what is not final. */
  finish(): void {
    for (const order of this.#live.values()) if (!this.#sink.history) this.#put(order, order.last)
    this.#vault.finish()
  }

  #change(order: ReplayedOrder, event: ArenaEvent, stored: StoredEvent): void {
    const before = locked(order.state, event)
    evolve(order.state, event)
    if (event._tag === "OrderSettled" || event._tag === "OrderVoided") order.ending = event
    if (event._tag === "CommitmentSubmitted") order.submitted.set(event.commitment.commitmentId, stored.seq)
    const after = event._tag === "CommitmentSubmitted" ? lockedOne(event.commitment) : locked(order.state, event)
    this.#vault.step(event, before, after, stored)
  }

  #put(order: ReplayedOrder, stored: StoredEvent): void {
    this.#sink.put(orderRow(order), stored)
    for (const row of commitmentRows(order)) this.#sink.put(row, stored)
  }

  #putChanged(order: ReplayedOrder, event: ArenaEvent, stored: StoredEvent): void {
    this.#sink.put(orderRow(order), stored)
    const isOne = event._tag === "CommitmentSubmitted"
    const rows = isOne ? [commitmentRow(event.commitment, stored.seq)] : commitmentRows(order)
    for (const row of rows) this.#sink.put(row, stored)
  }
}

const orderOf = (event: ArenaEvent): string => {
  switch (event._tag) {
    case "OrderOpened":
      return event.terms.orderId
    case "CommitmentSubmitted":
      return event.commitment.orderId
    default:
      return event.orderId
  }
}

/** Only a step can free what is locked: a submission does not count all that is there. */
const locked = (state: OrderState, event: ArenaEvent): Locked =>
  event._tag === "CommitmentSubmitted" ? NONE_LOCKED : lockedBy(state)

const lockedOne = ({ collateral }: { readonly collateral: bigint }): Locked => ({ collateral, count: 1n })
