import { useMemo } from "react"
import { useApi } from "../Data.ts"
import { millisOf } from "../ui/Format.ts"
import { pricedAsset } from "../../../../engine/market/PublishedAuction.ts"
import { type ArenaOrder, timesOf, unitPrice } from "./ArenaOrder.ts"
import type { LiveState } from "./LiveArena.ts"
import { joined, type PricePoint } from "./PriceSeries.ts"

/** What an order's unit was worth, oldest first: what was recorded, then what comes live. */
export const useOrderPrices = (order: ArenaOrder, live: LiveState): ReadonlyArray<PricePoint> => {
  const { data } = useApi("GET /api/arena/orders/:order_id/prices", { params: { order_id: order.order_id } })
  const fresh = live.prices.get(pricedAsset(order))
  const { settlementAt } = timesOf(order)
  return useMemo(() => {
    const recorded = (data?.prices ?? []).map(({ at, price }) => ({ at: millisOf(at), price }))
    const now = (fresh ?? []).flatMap(({ at, price }) => {
      const value = unitPrice(order, price, at)
      return value === undefined ? [] : [{ at, price: value }]
    })
    return joined(recorded, now, settlementAt)
  }, [data, fresh, order, settlementAt])
}
