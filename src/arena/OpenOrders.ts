import { Clock, Context, Effect, Layer, Result } from "effect"
import { OrderNotFound, OrderNotOpen, WindowClosed } from "../../engine/arena/ArenaError.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { OrderRepository } from "./OrderRepository.ts"

/** Why an order takes no commitments. */
export type NotOffered = OrderNotFound | OrderNotOpen | WindowClosed

/** The terms of the orders that take commitments, in memory. */
export class OpenOrders extends Context.Service<
  OpenOrders,
  {
    /** Oldest first. One whose time has just come may be among them. */
    readonly list: () => ReadonlyArray<OrderTerms>
    /** Those of one that is among them. */
    readonly terms: (orderId: string) => OrderTerms | undefined
    /** One that takes commitments now, or why it does not. */
    readonly find: (orderId: string) => Effect.Effect<Result.Result<OrderTerms, NotOffered>, Unavailable>
  }
>()("emporion/arena/OpenOrders") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* OrderRepository
      const journal = yield* UnitOfWork
      const open = new Map<string, OrderTerms>()

      yield* journal.onCommit((events) => {
        for (const { event } of events) {
          if (event._tag === "OrderOpened") open.set(event.terms.orderId, event.terms)
          if (event._tag === "OrderClosed" || event._tag === "OrderSettled" || event._tag === "OrderVoided") {
            open.delete(event.orderId)
          }
        }
      })
      for (const terms of yield* repository.offered) open.set(terms.orderId, terms)

      const whyNot = Effect.fnUntraced(function* (orderId: string) {
        const order = yield* repository.find(orderId)
        if (order === undefined) return new OrderNotFound({ orderId })
        const { expiryAt, status } = order
        return status === "settled"
          ? new OrderNotOpen({ orderId, status })
          : new WindowClosed({ orderId, expiredAt: expiryAt })
      })

      return OpenOrders.of({
        list: () => [...open.values()],
        terms: (orderId) => open.get(orderId),
        find: Effect.fnUntraced(function* (orderId) {
          const terms = open.get(orderId)
          const now = yield* Clock.currentTimeMillis
          if (terms !== undefined && now < terms.expiryAt) return Result.succeed(terms)
          return Result.fail(yield* whyNot(orderId))
        })
      })
    })
  )
}
