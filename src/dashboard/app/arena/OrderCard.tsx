import { Link } from "wouter"
import { count, usd } from "../ui/Format.ts"
import { type ArenaOrder, ASSET_TYPE_NAMES, assetName, assetNote } from "./ArenaOrder.ts"
import { OrderClock, Spark } from "./ArenaParts.tsx"
import { competitionOf } from "./Competition.ts"
import type { LiveState } from "./LiveArena.ts"
import { useOrderPrices } from "./OrderPrices.ts"
import { Change, units } from "./Figures.tsx"
import { quote } from "./Quote.ts"

interface OrderCardProps {
  readonly order: ArenaOrder
  readonly live: LiveState
  readonly time: number
}

const bids = (humans: number, machines: number): string => {
  const all = humans + machines
  if (all === 0) return "No bids yet"
  return `${count(all)} ${all === 1 ? "bid" : "bids"}, ${machines} by machines`
}

/** An order that takes commitments, with its clock, price and competition. The whole card leads to the order. */
export const OrderCard = ({ live, order, time }: OrderCardProps) => {
  const series = useOrderPrices(order, live)
  const { collateral, humans, machines } = competitionOf(order)
  const newest = series.at(-1)?.price ?? order.entry_price
  return (
    <Link href={`/arena/orders/${order.order_id}`} className="order-card">
      <div className="order-card-head">
        <h3>{assetName(order)}</h3>
        <p className="soft">
          {ASSET_TYPE_NAMES[order.asset_type]} · {assetNote(order)}
        </p>
      </div>
      <div className="order-card-price">
        <div>
          <strong className="number">{quote(newest)}</strong>
          <p>
            <Change value={newest / order.entry_price - 1} />
            <span className="soft number"> entry {quote(order.entry_price)}</span>
          </p>
        </div>
        <Spark series={series} />
      </div>
      <p className="order-card-bids">
        <span>{bids(humans, machines)}</span>
        <span className="number soft">
          {collateral > 0 ? `${usd(collateral)} locked` : `${units(order.quantity)} units`}
        </span>
      </p>
      <OrderClock order={order} time={time} />
    </Link>
  )
}
