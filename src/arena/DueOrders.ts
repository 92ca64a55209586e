import { Effect } from "effect"
import { Arena } from "./Arena.ts"
import { type LiveOrder, OrderRepository } from "./OrderRepository.ts"

/** Orders that take their steps at the same time. */
const ADVANCE_CONCURRENCY = 16

/** The orders that are not settled, and their steps. */
export const make = Effect.gen(function* () {
  const arena = yield* Arena
  const repository = yield* OrderRepository
  const live = new Map<string, LiveOrder>()
  let isKnown = false

  const refresh = Effect.suspend(() => (isKnown ? Effect.void : Effect.map(repository.live, replace)))

  const replace = (orders: ReadonlyArray<LiveOrder>): void => {
    live.clear()
    for (const order of orders) live.set(order.orderId, order)
    isKnown = true
  }

  const advanceOne = (orderId: string) =>
    arena.advance(orderId).pipe(
      Effect.map((settled) => {
        if (settled) live.delete(orderId)
      }),
      Effect.catchTag("OrderNotFound", () => Effect.sync(() => void live.delete(orderId))),
      Effect.catchTag("Unavailable", ({ reason }) => Effect.logWarning(`Order ${orderId} waits: ${reason}`))
    )

  yield* refresh
  return {
    /** Reads all of them anew where they are not known for certain. */
    refresh,
    /** Some may have been written without an answer: the next refresh reads them. */
    forget: (): void => {
      isKnown = false
    },
    live: (): ReadonlyArray<LiveOrder> => [...live.values()],
    add: (order: LiveOrder): void => void live.set(order.orderId, order),
    advance: (now: number) =>
      Effect.forEach(
        [...live.values()].filter(({ expiryAt }) => now >= expiryAt),
        ({ orderId }) => advanceOne(orderId),
        { concurrency: ADVANCE_CONCURRENCY, discard: true }
      )
  }
})
