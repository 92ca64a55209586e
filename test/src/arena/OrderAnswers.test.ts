import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { OrderAnswers } from "../../../src/arena/OrderAnswers.ts"
import type { Answer as Bytes } from "../../../src/http/AnswerCache.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"

interface Answer {
  readonly order: {
    readonly status: string
    readonly commitments: ReadonlyArray<unknown>
    readonly market_maker: string
  }
}

const parsed = ({ body }: Bytes): Answer => JSON.parse(new TextDecoder().decode(body))

describe("OrderAnswers", () => {
  itLive("shows each commitment to a reader who comes after its answer, among many at once", () =>
    Effect.gen(function* () {
      const { commit, order, server } = yield* openedArena()
      const { of } = server.service(OrderAnswers)
      const look = Effect.map(Effect.orDie(of(order.order_id)), (body) => parsed(body).order.commitments.length)
      expect(yield* look).toBe(0)
      for (let made = 0; made < 20; made++) {
        const readers = Effect.all([look, look, look], { concurrency: "unbounded" })
        yield* Effect.all([commit({ quantity: 1 }), readers], { concurrency: "unbounded" })
        expect(yield* look).toBe(made + 1)
      }
    })
  )

  itLive("keeps an answer for a second at most, unless something happens", () =>
    Effect.gen(function* () {
      const { order, server } = yield* openedArena()
      const { of } = server.service(OrderAnswers)
      const look = server.run(Effect.map(of(order.order_id), (body) => parsed(body).order.market_maker))
      const maker = yield* look
      yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`UPDATE arena_orders SET maker_address = '0xother' WHERE id = ${order.order_id}`
        )
      )
      server.world.pass(999)
      expect(yield* look).toBe(maker)
      server.world.pass(1)
      expect(yield* look).toBe("0xother")
      yield* server.tick(90_000)
      expect(parsed(yield* server.run(of(order.order_id))).order.status).toBe("settled")
    })
  )

  itLive("has none for an order that is not there", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const error = yield* Effect.flip(server.service(OrderAnswers).of("ord_none"))
      expect(error._tag).toBe("OrderNotFound")
    })
  )
})
