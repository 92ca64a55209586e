import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { OrderNotFound } from "../../../engine/arena/ArenaError.ts"
import { DueOrders } from "../../../engine/arena/DueOrders.ts"
import { AgentFixture, due, LOST } from "../../lib/AgentFixture.ts"
import { itEffect } from "../../lib/Effects.ts"

const fixture = (...ids: ReadonlyArray<string>) => {
  const made = new AgentFixture()
  made.live = ids.map((id) => due(id, 10))
  const orders = new DueOrders(made.world)
  const ids_ = () => orders.live.map(({ orderId }) => orderId)
  return { fixture: made, orders, known: ids_ }
}

describe("DueOrders", () => {
  itEffect("are read once, until some may have been written without an answer", () =>
    Effect.gen(function* () {
      const { known, orders, fixture: made } = fixture("one")
      yield* orders.refresh()
      orders.add(due("two", 20))
      yield* orders.refresh()
      expect(known()).toEqual(["one", "two"])
      orders.forget()
      made.live = [due("three", 30)]
      yield* orders.refresh()
      expect([known(), made.calls]).toEqual([["three"], ["live", "live"]])
    })
  )

  itEffect("take their steps once their time has come, until they are settled", () =>
    Effect.gen(function* () {
      const { known, orders, fixture: made } = fixture("one")
      yield* orders.refresh()
      yield* orders.advance(9)
      made.advance = () => Effect.succeed(false)
      yield* orders.advance(10)
      expect(known()).toEqual(["one"])
      made.advance = () => Effect.succeed(true)
      yield* orders.advance(11)
      yield* orders.advance(12)
      expect([known(), made.calls]).toEqual([[], ["live", "advance one", "advance one"]])
    })
  )

  itEffect("wait where the world does not answer, and are forgotten where there is none", () =>
    Effect.gen(function* () {
      const { known, orders, fixture: made } = fixture("one", "two")
      yield* orders.refresh()
      made.advance = (orderId) => Effect.fail(orderId === "one" ? LOST : new OrderNotFound({ orderId }))
      yield* orders.advance(10)
      expect(known()).toEqual(["one"])
      expect(made.calls.filter((call) => call.endsWith("waits"))).toEqual(["one waits"])
    })
  )

  itEffect("take their steps side by side", () =>
    Effect.gen(function* () {
      const { orders, fixture: made } = fixture(...Array.from({ length: 40 }, (_, index) => `order ${index}`))
      const count = { now: 0, most: 0 }
      made.advance = () =>
        Effect.gen(function* () {
          count.most = Math.max(count.most, ++count.now)
          yield* Effect.yieldNow
          count.now -= 1
          return true
        })
      yield* orders.refresh()
      yield* orders.advance(10)
      expect(count).toEqual({ now: 0, most: 16 })
    })
  )
})
