import { describe, expect } from "bun:test"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import { type OrderStatus, orderStream } from "../../../engine/arena/Order.ts"
import { type OrderTerms } from "../../../engine/arena/OrderTerms.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { OpenOrders } from "../../../src/arena/OpenOrders.ts"
import { OrderRepository, type OrderView } from "../../../src/arena/OrderRepository.ts"
import type { CommitListener } from "../../../engine/journal/GroupWriter.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { terms } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { NO_ACCOUNTS } from "../../lib/NoAccounts.ts"

const offered = (orderId: string): OrderTerms => terms({ orderId, openedAt: 0, expiryAt: 1_000, settlementAt: 2_000 })

const opened = (orderId: string): PlatformEvent => ({ _tag: "OrderOpened", at: 0, terms: offered(orderId) })

const recorded = (event: PlatformEvent): Recorded<PlatformEvent> => ({
  seq: 1,
  stream: orderStream("ord"),
  version: 1,
  event,
  hash: ""
})

/** The orders of an arena on paper, and how it tells of events. */
const arena = Effect.fnUntraced(function* (stored: Readonly<Record<string, OrderStatus>>) {
  const listeners: Array<CommitListener> = []
  const repository = Layer.mock(OrderRepository, {
    offered: Effect.succeed(
      Object.entries(stored)
        .filter(([, status]) => status === "open" || status === "competing")
        .map(([orderId]) => offered(orderId))
    ),
    find: (orderId) => {
      const status = stored[orderId]
      return Effect.succeed(status && ({ ...offered(orderId), status } as unknown as OrderView))
    }
  })
  const journal = Layer.mock(UnitOfWork, {
    isCertain: () => true,
    tell: () => {},
    writes: Effect.void,
    onCommit: (listener) => Effect.sync(() => void listeners.push(listener))
  })
  const context = yield* Layer.build(Layer.provide(OpenOrders.layer, Layer.merge(repository, journal)))
  const orders = yield* Effect.provideContext(OpenOrders, context)
  return {
    orders,
    ids: () => orders.list().map(({ orderId }) => orderId),
    tell: (event: PlatformEvent) => listeners.forEach((listener) => listener([recorded(event)], NO_ACCOUNTS))
  }
})

const whyNot = (found: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(found) ? found.failure._tag : "offered"

describe("OpenOrders", () => {
  itEffect("are those that were open at the start, and that opened and did not close since", () =>
    Effect.gen(function* () {
      const { ids, tell } = yield* arena({ a: "open", b: "competing", c: "settling", d: "settled" })
      expect(ids()).toEqual(["a", "b"])
      tell(opened("e"))
      tell({ _tag: "OrderClosed", at: 0, orderId: "a" })
      expect(ids()).toEqual(["b", "e"])
    })
  )

  itEffect("tell why an order takes no commitments", () =>
    Effect.gen(function* () {
      const { orders } = yield* arena({ a: "open", c: "settling", d: "settled" })
      expect(whyNot(yield* orders.find("a"))).toBe("offered")
      expect(whyNot(yield* orders.find("c"))).toBe("WindowClosed")
      expect(whyNot(yield* orders.find("d"))).toBe("OrderNotOpen")
      expect(whyNot(yield* orders.find("z"))).toBe("OrderNotFound")
      yield* TestClock.adjust(1_000)
      expect(whyNot(yield* orders.find("a"))).toBe("WindowClosed")
    })
  )
})
