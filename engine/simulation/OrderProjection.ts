import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { OrderSettled, OrderVoided } from "../arena/ArenaEvent.ts"
import { evolve, opened, type OrderState } from "../arena/Order.ts"

/** The orders as the committed events make them. */
export class OrderProjection {
  readonly orders = new Map<string, OrderState>()
  /** Those that are not settled. */
  readonly live = new Map<string, OrderState>()
  /** How each order ended. */
  readonly ends = new Map<string, OrderSettled | OrderVoided>()

  apply(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    for (const { event } of recorded) this.#event(event)
  }

  /** Keeps of an order that is history no more than its terms and its standing. */
  retire(orderId: string): void {
    const state = this.orders.get(orderId)
    this.ends.delete(orderId)
    if (state === undefined) return
    state.commitments.clear()
    state.choice = null
  }

  #event(event: PlatformEvent): void {
    switch (event._tag) {
      case "OrderOpened": {
        const state = opened(event.terms)
        this.orders.set(event.terms.orderId, state)
        this.live.set(event.terms.orderId, state)
        return
      }
      case "CommitmentSubmitted":
        return this.#evolve(event.commitment.orderId, event)
      case "OrderClosed":
      case "WinnerChosen":
        return this.#evolve(event.orderId, event)
      case "OrderSettled":
      case "OrderVoided":
        this.#evolve(event.orderId, event)
        this.ends.set(event.orderId, event)
        this.live.delete(event.orderId)
        return
      default:
    }
  }

  #evolve(orderId: string, event: Parameters<typeof evolve>[1]): void {
    const state = this.orders.get(orderId)
    if (state !== undefined) evolve(state, event)
  }
}
