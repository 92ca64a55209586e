import { Effect } from "effect"
import type { OperationRow } from "../OperationRows.ts"

/** The operations of the arena's board. */
export const arenaBoardRows: Readonly<Record<string, OperationRow>> = {
  "GET /api/arena/orders/{order_id}/prices": {
    tenancy: "public",
    send: ({ orderId }) => Effect.succeed({ params: { order_id: orderId } })
  },
  "GET /api/arena/leaderboard": { tenancy: "public", send: () => Effect.succeed({}) },
  "GET /api/arena/history": { tenancy: "public", send: () => Effect.succeed({}) },
  "GET /api/arena/candles/{asset}": {
    tenancy: "public",
    send: () => Effect.succeed({ params: { asset: "XAU" }, query: { interval: "3600" } })
  },
  "GET /api/arena/history/{day}/{file}": {
    tenancy: "public",
    status: 404,
    send: () => Effect.succeed({ params: { day: "2026-09-29", file: "auctions.jsonl" } })
  }
}
