import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MAX_AGE } from "../../../src/arena/ListCache.ts"
import { OrderResponses } from "../../../src/arena/OrderResponses.ts"
import type { Answer as Bytes } from "../../../src/http/ResponseCache.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, usd } from "../../lib/OpenedArena.ts"

interface Answer {
  readonly order: {
    readonly status: string
    readonly commitments: ReadonlyArray<unknown>
    readonly market_maker: string
  }
}

interface Sealed {
  readonly order: {
    readonly bids: string
    readonly commitments: ReadonlyArray<{
      readonly quantity: number
      readonly proposed_entry_price: number | null
      readonly expected_exit_price: number | null
    }>
  }
}

interface Listed {
  readonly orders: ReadonlyArray<{ readonly order_id: string; readonly status: string }>
  readonly total: number
}

const parsed = ({ body }: Bytes): Answer => JSON.parse(new TextDecoder().decode(body))

describe("OrderResponses", () => {
  itLive("shows each commitment to a reader who comes after its answer, among many at once", () =>
    Effect.gen(function* () {
      const { commit, order, server } = yield* openedArena()
      const { of } = server.service(OrderResponses)
      const look = Effect.map(
        Effect.orDie(of(order.order_id, "cmp_any")),
        (body) => parsed(body).order.commitments.length
      )
      expect(yield* look).toBe(0)
      for (let made = 0; made < 20; made++) {
        const readers = Effect.all([look, look, look], { concurrency: "unbounded" })
        yield* Effect.all([commit({ quantity: 1 }), readers], { concurrency: "unbounded" })
        expect(yield* look).toBe(made + 1)
      }
    })
  )

  itLive("keeps what it shows for ten seconds at most, unless something happens", () =>
    Effect.gen(function* () {
      const { order, server } = yield* openedArena()
      const { of } = server.service(OrderResponses)
      const look = server.run(Effect.map(of(order.order_id, "cmp_any"), (body) => parsed(body).order.market_maker))
      const maker = yield* look
      yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`UPDATE arena_orders SET maker_address = '0xother' WHERE id = ${order.order_id}`
        )
      )
      server.world.pass(MAX_AGE / 2)
      expect(yield* look).toBe(maker)
      server.world.pass(MAX_AGE / 2)
      expect(yield* look).toBe("0xother")
      yield* server.tick(90_000)
      expect(parsed(yield* server.run(of(order.order_id, "cmp_any"))).order.status).toBe("settled")
    })
  )

  itLive("shows each company the prices of its own bids alone until the choice, where bids are sealed", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena({ ARENA_SEALED_BIDS: "on" })
      const rival = yield* server.user(`0x${"2".repeat(40)}`)
      yield* server.mint(rival.id, usd(10_000n))
      const price = order.entry_price
      yield* commit({ quantity: 1 })
      yield* commit({ quantity: 2 }, rival.id)
      const shown = (as: string) =>
        Effect.map(server.get<Sealed>(`/api/arena/orders/${order.order_id}`, as), ({ json }) => ({
          bids: json.order.bids,
          prices: json.order.commitments
            .toSorted((one, other) => one.quantity - other.quantity)
            .map((one) => [one.proposed_entry_price, one.expected_exit_price === null ? "sealed" : "shown"])
        }))
      const admin = yield* server.admin
      for (let round = 0; round < 2; round++) {
        const all = yield* Effect.forEach([trader.id, rival.id, admin], shown, { concurrency: "unbounded" })
        expect(all).toEqual([
          {
            bids: "sealed",
            prices: [
              [price, "shown"],
              [null, "sealed"]
            ]
          },
          {
            bids: "sealed",
            prices: [
              [null, "sealed"],
              [price, "shown"]
            ]
          },
          {
            bids: "sealed",
            prices: [
              [null, "sealed"],
              [null, "sealed"]
            ]
          }
        ])
      }
      yield* server.tick(90_000)
      expect((yield* shown(admin)).prices).toEqual([
        [price, "shown"],
        [price, "shown"]
      ])
    })
  )

  itLive("keeps pages while further commitments come, and none beyond what changes an order that it lists", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      const { ready } = server.service(OrderResponses)
      const target = "/api/arena/orders?limit=100"
      const isKept = Effect.map(Clock.currentTimeMillis, (now) => ready.find(target, now) !== undefined)
      const status = Effect.map(
        server.get<Listed>(target, trader.id),
        ({ json }) => json.orders.find(({ order_id: id }) => id === order.order_id)?.status
      )
      const listed = (wanted: string) =>
        Effect.map(server.get<Listed>(`/api/arena/orders?status=${wanted}`, trader.id), ({ json }) =>
          json.orders.some(({ order_id: id }) => id === order.order_id)
        )
      const shown = Effect.all([status, listed("open"), listed("competing"), listed("settling"), listed("settled")])
      expect(yield* shown).toEqual(["open", true, false, false, false])
      yield* commit({ quantity: 1 })
      expect(yield* server.run(isKept)).toBe(false)
      expect(yield* shown).toEqual(["competing", false, true, false, false])
      yield* commit({ quantity: 1 })
      expect(yield* server.run(isKept)).toBe(true)
      yield* server.tick(90_000 - 5)
      expect(yield* status).toBe("competing")
      yield* server.tick(5)
      expect(yield* shown).toEqual(["settling", false, false, true, false])
      yield* server.tick(60_000 - 5)
      expect(yield* status).toBe("settling")
      yield* server.tick(5)
      expect(yield* shown).toEqual(["settled", false, false, false, true])
      const { json } = yield* server.get<Listed>("/api/arena/orders?limit=1&offset=1", trader.id)
      const link = (yield* server.get("/api/arena/orders?limit=1&offset=1", trader.id)).headers.get("link")
      expect(link).toBe(`</api/arena/orders?limit=1&after=${json.orders[0]?.order_id}>; rel="next"`)
      expect(json.total).toBeGreaterThan(2)
    })
  )

  itLive("has none for an order that is not there", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const error = yield* Effect.flip(server.service(OrderResponses).of("ord_none", "cmp_any"))
      expect(error._tag).toBe("OrderNotFound")
    })
  )
})
