import { Link } from "wouter"
import { useApi } from "../Data.ts"
import { wordsOf } from "../ui/Badge.tsx"
import { ButtonLink, OutsideLink } from "../ui/Button.tsx"
import { Card, Stat, Stats } from "../ui/Card.tsx"
import { count, countdown, percent, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Notice, Waiting } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { useArenaTime, useLiveArena } from "./ArenaNow.ts"
import { pricedAsset } from "../../../../engine/market/PublishedAuction.ts"
import { type ArenaOrder, assetName, timesOf, unitPrice } from "./ArenaOrder.ts"
import { LiveBadge, Trader } from "./ArenaParts.tsx"
import { Profit } from "./Figures.tsx"
import { quote } from "./Quote.ts"
import { useSettled } from "./SettledOrders.ts"
import { competitionOf, winnerProfit } from "./Competition.ts"
import type { Happening } from "./Happening.ts"
import type { LiveState } from "./LiveArena.ts"
import { OrderCard } from "./OrderCard.tsx"

const isTaking = ({ status }: ArenaOrder): boolean => status === "open" || status === "competing"

const byExpiry = (one: ArenaOrder, other: ArenaOrder): number => timesOf(one).expiryAt - timesOf(other).expiryAt

const winnerOf = (order: ArenaOrder) =>
  order.commitments.find(({ commitment_id: id }) => id === order.winner_commitment_id)

const ToOrder = ({ order }: { readonly order: ArenaOrder }) => (
  <Link href={`/arena/orders/${order.order_id}`}>{assetName(order)}</Link>
)

const Winner = ({ order }: { readonly order: ArenaOrder }) => {
  const bid = winnerOf(order)
  if (bid !== undefined) return <Trader address={bid.trader_address} type={bid.trader_type} />
  return <span className="soft">{order.void_reason === null ? "Nobody" : "Void"}</span>
}

interface SectionProps {
  readonly orders: ReadonlyArray<ArenaOrder>
  readonly live: LiveState
  readonly time: number
}

const priceNow = (order: ArenaOrder, { prices }: LiveState): number | undefined => {
  const newest = prices.get(pricedAsset(order))?.at(-1)
  return newest === undefined ? undefined : unitPrice(order, newest.price, newest.at)
}

const Settling = ({ live, orders, time }: SectionProps) => (
  <Card title="Waiting for settlement" flush>
    {orders.length === 0 ? (
      <Empty icon="clock" title="Nothing is waiting">
        An order comes here when its commitments close.
      </Empty>
    ) : (
      <Table
        label="Orders that wait for their settlement"
        rows={orders}
        keyOf={(order) => order.order_id}
        to={(order) => `/arena/orders/${order.order_id}`}
        columns={[
          { title: "Order", cell: (order) => <ToOrder order={order} /> },
          { title: "Winner", cell: (order) => <Winner order={order} /> },
          {
            title: "Pays",
            align: "right",
            wide: true,
            cell: (order) => (order.clearing_price === null ? "–" : quote(order.clearing_price))
          },
          {
            title: "Would make now",
            align: "right",
            cell: (order) => {
              const bid = winnerOf(order)
              const now = priceNow(order, live)
              return (
                <Profit
                  value={
                    bid === undefined || now === undefined
                      ? undefined
                      : winnerProfit({ ...order, settlement_price: now }, bid)
                  }
                />
              )
            }
          },
          { title: "Settles in", align: "right", cell: (order) => countdown(timesOf(order).settlementAt - time) }
        ]}
      />
    )}
  </Card>
)

const Settled = ({ orders }: Pick<SectionProps, "orders">) => (
  <Card title="Just settled" flush>
    {orders.length === 0 ? (
      <Empty icon="check" title="Nothing has settled yet">
        Orders come here when they are paid, with a check of their winner.
      </Empty>
    ) : (
      <Table
        label="Orders that were settled"
        rows={orders}
        keyOf={(order) => order.order_id}
        to={(order) => `/arena/orders/${order.order_id}`}
        columns={[
          { title: "Order", cell: (order) => <ToOrder order={order} /> },
          { title: "Winner", cell: (order) => <Winner order={order} /> },
          { title: "Bids", align: "right", wide: true, cell: (order) => count(order.commitments.length) },
          {
            title: "Made",
            align: "right",
            cell: (order) => {
              const bid = winnerOf(order)
              return <Profit value={bid === undefined ? undefined : winnerProfit(order, bid)} />
            }
          }
        ]}
      />
    )}
  </Card>
)

const said = ({ amount, kind, trader }: Happening): string => {
  switch (kind) {
    case "opened":
      return "opened"
    case "bid":
      return `${trader === "machine" ? "a machine" : "a person"} locked ${usd(amount ?? 0)}`
    case "settled":
      return amount === undefined
        ? "settled without a winner"
        : amount > 0
          ? `settled, the winner got ${usd(amount)}`
          : "settled at a loss"
  }
}

/** The newest happenings that are shown. */
const SHOWN = 12

const Happenings = ({ live }: { readonly live: LiveState }) => (
  <Card title="Happening now" flush>
    {live.happenings.length === 0 ? (
      <Empty icon="activity" title="Quiet so far">
        Bids and settlements appear here as they happen.
      </Empty>
    ) : (
      <ul className="happenings">
        {live.happenings.slice(0, SHOWN).map((each) => {
          const order = live.orders.get(each.orderId)
          return (
            <li key={each.key} className={each.kind}>
              <span>
                <Link href={`/arena/orders/${each.orderId}`}>
                  {order === undefined ? "An order" : assetName(order)}
                </Link>{" "}
                {said(each)}
              </span>
              <span className="soft">
                <When at={each.at} as="distance" />
              </span>
            </li>
          )
        })}
      </ul>
    )}
  </Card>
)

/** Says where a circuit breaker halts trading. */
const Breakers = () => {
  const { data } = useApi("GET /api/arena/agent/status", {}, { every: 15_000 })
  const open = Object.entries(data?.circuit_breakers ?? {}).filter(([, state]) => state !== "closed")
  if (open.length === 0) return null
  return (
    <Notice tone="wait" title="Trading is paused by a circuit breaker">
      {open
        .map(
          ([scope, state]) => `${scope === "global" ? "Everything" : wordsOf(scope)}: ${wordsOf(state).toLowerCase()}`
        )
        .join(". ")}
      . Commitments are refused until prices are safe again.
    </Notice>
  )
}

const Figures = ({ orders }: { readonly orders: ReadonlyArray<ArenaOrder> }) => {
  const all = orders.map(competitionOf)
  const collateral = all.reduce((sum, each) => sum + each.collateral, 0)
  const machines = all.reduce((sum, each) => sum + each.collateral * each.machinePart, 0)
  return (
    <Stats>
      <Stat label="Open orders" value={count(orders.length)} note="Take commitments now" />
      <Stat
        label="Bids on them"
        value={count(all.reduce((sum, each) => sum + each.humans + each.machines, 0))}
        note={`${count(all.reduce((sum, each) => sum + each.humans, 0))} by people`}
      />
      <Stat label="Collateral at stake" value={usd(collateral)} note="3.81% of what is bid for" />
      <Stat
        label="Machines hold"
        value={percent(collateral === 0 ? 0 : machines / collateral, 1)}
        note="They win only with 75%"
      />
    </Stats>
  )
}

const Open = ({ live, orders, time }: SectionProps) => (
  <section className="stack" aria-labelledby="open-orders">
    <h2 id="open-orders">Open orders</h2>
    {orders.length === 0 ? (
      <Card>
        <Empty icon="clock" title="No order is open at the moment">
          The agent opens one of each kind in every slot. The next ones appear here by themselves.
        </Empty>
      </Card>
    ) : (
      <div className="order-cards">
        {orders.map((order) => (
          <OrderCard key={order.order_id} order={order} live={live} time={time} />
        ))}
      </div>
    )}
  </section>
)

/** The arena live: what is open, what waits and what was settled. */
const ArenaPage = () => {
  const live = useLiveArena()
  const time = useArenaTime(live)
  const settled = useSettled(live)
  const orders = [...live.orders.values()]
  const taking = orders.filter(isTaking).toSorted(byExpiry)
  const isKnown = live.status === "live" || orders.length > 0
  return (
    <>
      <PageHead
        title="Arena"
        badge={<LiveBadge status={live.status} />}
        lead="In every slot the agent opens an order of each kind. Traders commit a price and collateral; one of them wins, and earns the difference at settlement."
        actions={
          <>
            <OutsideLink to="/simulation" icon="play">
              Simulation
            </OutsideLink>
            <ButtonLink to="/commitments" icon="flow">
              My commitments
            </ButtonLink>
          </>
        }
      />
      <Breakers />
      {isKnown ? (
        <>
          <Figures orders={taking} />
          <Open orders={taking} live={live} time={time} />
          <div className="arena-below">
            <div className="stack">
              <Settling
                orders={orders.filter(({ status }) => status === "settling").toSorted(byExpiry)}
                live={live}
                time={time}
              />
              <Settled orders={settled} />
            </div>
            <Happenings live={live} />
          </div>
        </>
      ) : (
        <Waiting lines={8} />
      )}
    </>
  )
}

export default ArenaPage
