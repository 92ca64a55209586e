import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { MAX_PRICES } from "../../../src/api/ArenaBoard.ts"
import { itLive } from "../../lib/Effects.ts"
import { fieldsOf, openedArena, refusal, SHORT_SLOTS } from "../../lib/OpenedArena.ts"

interface PricesJson {
  readonly asset: string
  readonly prices: ReadonlyArray<{ readonly at: string; readonly price: number; readonly safe: boolean }>
}

interface BoardJson {
  readonly orders: number
  readonly since: string
  readonly leaders: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const SECONDS = Number(SHORT_SLOTS.ARENA_COMMIT_WINDOW_SECONDS) + Number(SHORT_SLOTS.ARENA_SETTLEMENT_DELAY_SECONDS)

describe("GET /api/arena/orders/{order_id}/prices", () => {
  itLive("tells what an order was worth, and of an option the premium", () =>
    Effect.gen(function* () {
      const { order, server, trader } = yield* openedArena()
      for (let second = 0; second < SECONDS + 30; second += 10) yield* server.tick(10_000)
      const { json } = yield* server.get<PricesJson>(`/api/arena/orders/${order.order_id}/prices`, trader.id)
      expect(fieldsOf(json)).toEqual(["asset", "order_id", "prices", "success"])
      expect(json.prices.length).toBeGreaterThan(SECONDS / 10)
      expect(json.prices.length).toBeLessThanOrEqual(MAX_PRICES)
      expect(json.prices.map(({ at }) => at)).toEqual(json.prices.map(({ at }) => at).toSorted())
      expect(json.prices[0]).toMatchObject({ price: 1.095, safe: true })
      expect(Date.parse(json.prices.at(-1)?.at ?? "")).toBeLessThanOrEqual(Date.parse("2026-09-30T12:02:30.000Z"))

      const { json: listed } = yield* server.get<{
        readonly orders: ReadonlyArray<{ readonly order_id: string; readonly entry_price: number }>
      }>("/api/arena/orders?asset_type=options&limit=100", trader.id)
      const option = listed.orders.at(-1)
      const premiums = yield* server.get<PricesJson>(`/api/arena/orders/${option?.order_id}/prices`, trader.id)
      expect(premiums.json.prices[0]?.price).toBeCloseTo(option?.entry_price ?? 0, 3)
    })
  )

  itLive("knows no other order", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      expect(refusal(yield* server.get("/api/arena/orders/ord_none/prices", trader.id))).toEqual([
        404,
        "ARENA_001",
        "at once"
      ])
    })
  )
})

describe("GET /api/arena/leaderboard", () => {
  itLive("ranks traders by what settled orders brought them, and tells nothing of those that compete", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      const board = (query = "") =>
        Effect.map(server.get<BoardJson>(`/api/arena/leaderboard${query}`, trader.id), ({ json }) => json)
      yield* commit({ proposed_entry_price: Math.floor(order.entry_price * 1_050_000) / 1e6, expected_exit_price: 99 })
      expect(yield* board()).toMatchObject({ orders: 0, leaders: [] })
      for (let second = 0; second < SECONDS + 30; second += 10) yield* server.tick(10_000)
      const after = yield* board()
      expect(after.orders).toBe(8)
      expect(after.leaders).toMatchObject([
        { rank: 1, trader_address: `0x${"1".repeat(40)}`, trader_type: "human", commitments: 1, won: 1, win_rate: 1 }
      ])
      expect(yield* board("?asset_type=gpu")).toMatchObject({ orders: 2, leaders: [] })
      expect(yield* board("?asset_type=fx&days=1&limit=1")).toMatchObject({ orders: 2, leaders: after.leaders })
    })
  )
})
