import { useQuery } from "@tanstack/react-query"
import { call } from "../ApiCalls.ts"
import type { ArenaOrder } from "./ArenaOrder.ts"
import type { LiveState } from "./LiveArena.ts"

/** Settled orders that are shown. */
export const SHOWN_SETTLED = 8

const asked = async (): Promise<ReadonlyArray<ArenaOrder>> => {
  const query = { status: "settled", limit: String(SHOWN_SETTLED) } as const
  const { body } = await call("GET /api/arena/orders", { query })
  return Promise.all(
    body.orders.map(async ({ order_id }) => {
      const { body: answer } = await call("GET /api/arena/orders/:order_id", { params: { order_id } })
      return answer.order
    })
  )
}

/** The newest settled orders: those of before the page was opened, then what settled while one looked. */
export const useSettled = ({ orders }: LiveState): ReadonlyArray<ArenaOrder> => {
  const { data = [] } = useQuery({ queryKey: ["settled orders"], queryFn: asked, staleTime: 60_000 })
  const known = new Map(data.map((order) => [order.order_id, order]))
  for (const order of orders.values()) if (order.status === "settled") known.set(order.order_id, order)
  return [...known.values()]
    .toSorted((one, other) => (one.settlement_date < other.settlement_date ? 1 : -1))
    .slice(0, SHOWN_SETTLED)
}
