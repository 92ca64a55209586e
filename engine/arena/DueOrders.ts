import { Effect } from "effect"
import type { OrderTerms } from "./OrderTerms.ts"
import { OrderNotFound } from "./ArenaError.ts"

/** What of an order tells when it is due. */
export type DueOrder = Pick<OrderTerms, "orderId" | "asset" | "expiryAt" | "settlementAt">

/** Where the orders are that are not settled; `Failure` is a world that does not answer now. */
export interface DueWorld<Failure> {
  readonly live: Effect.Effect<ReadonlyArray<DueOrder>, Failure>
  /** Lets an order take the steps that are due; answers whether it is settled. */
  readonly advance: (orderId: string) => Effect.Effect<boolean, OrderNotFound | Failure>
  /** Is told why an order could not take its steps: it does so later. */
  readonly waits: (orderId: string, failure: Failure) => Effect.Effect<void>
}

/** Orders that take their steps at the same time. */
const ADVANCE_CONCURRENCY = 16

/** The orders that are not settled, and their steps. */
export class DueOrders<Failure> {
  readonly #world: DueWorld<Failure>
  readonly #live = new Map<string, DueOrder>()
  #isKnown = false

  constructor(world: DueWorld<Failure>) {
    this.#world = world
  }

  get live(): ReadonlyArray<DueOrder> {
    return [...this.#live.values()]
  }

  /** Reads all of them anew where they are not known for certain. */
  refresh(): Effect.Effect<void, Failure> {
    return Effect.suspend(() => (this.#isKnown ? Effect.void : Effect.map(this.#world.live, (all) => this.#know(all))))
  }

  /** Some may have been written without an answer: the next refresh reads them. */
  forget(): void {
    this.#isKnown = false
  }

  add(order: DueOrder): void {
    this.#live.set(order.orderId, order)
  }

  /** The earliest time after `now` at which one has a step to take; undefined where there is none. */
  next(now: number): number | undefined {
    let next: number | undefined
    for (const { expiryAt, settlementAt } of this.#live.values()) {
      const at = expiryAt > now ? expiryAt : settlementAt
      if (at > now && (next === undefined || at < next)) next = at
    }
    return next
  }

  /** Lets those whose time has come take their steps. */
  advance(now: number): Effect.Effect<void> {
    return Effect.forEach(
      this.live.filter(({ expiryAt }) => now >= expiryAt),
      ({ orderId }) => this.#advanceOne(orderId),
      { concurrency: ADVANCE_CONCURRENCY, discard: true }
    )
  }

  #know(orders: ReadonlyArray<DueOrder>): void {
    this.#live.clear()
    for (const order of orders) this.add(order)
    this.#isKnown = true
  }

  #advanceOne(orderId: string): Effect.Effect<void> {
    return Effect.matchEffect(this.#world.advance(orderId), {
      onSuccess: (isSettled) => Effect.sync(() => void (isSettled && this.#live.delete(orderId))),
      onFailure: (error) =>
        error instanceof OrderNotFound
          ? Effect.sync(() => void this.#live.delete(orderId))
          : this.#world.waits(orderId, error)
    })
  }
}
