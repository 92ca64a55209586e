import { useMemo } from "react"
import { useParams } from "wouter"
import { useApi } from "../Data.ts"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card, Facts, Stat, Stats } from "../ui/Card.tsx"
import { Chart } from "../ui/Chart.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { count, percent, price, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Notice } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { useArenaTime, useLiveArena } from "./ArenaNow.ts"
import { type ArenaOrder, ASSET_TYPE_NAMES, assetName, assetNote, timesOf } from "./ArenaOrder.ts"
import { LiveBadge, OrderClock, Trader } from "./ArenaParts.tsx"
import { CommitForm } from "./CommitForm.tsx"
import { competitionOf, winnerProfit } from "./Competition.ts"
import { CompetitionCard } from "./CompetitionCard.tsx"
import type { LiveState } from "./LiveArena.ts"
import { useOrderPrices } from "./OrderPrices.ts"
import { Change, Profit, units } from "./Figures.tsx"
import type { PricePoint } from "./PriceSeries.ts"
import { quote } from "./Quote.ts"
import { WinnerCheckCard } from "./WinnerCheckCard.tsx"

const levelsOf = (order: ArenaOrder) =>
  [
    { name: "Entry", value: order.entry_price },
    { name: "Winner pays", value: order.clearing_price },
    { name: "Settled at", value: order.settlement_price }
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))

const Prices = ({ order, series }: { readonly order: ArenaOrder; readonly series: ReadonlyArray<PricePoint> }) => {
  const lines = useMemo(
    () => [{ name: "Price", points: series.map(({ at, price: value }) => ({ time: at, value })) }],
    [series]
  )
  return (
    <Card title={order.asset_type === "options" ? "Premium" : "Price"}>
      <Chart
        label={`Price of ${assetName(order)}`}
        lines={lines}
        levels={levelsOf(order)}
        format={quote}
        height={260}
      />
    </Card>
  )
}

const VOID_REASONS: Readonly<Record<string, string>> = {
  breaker_open_at_expiry: "A circuit breaker was open when commitments closed.",
  no_reference_price: "No safe price came between the close and the settlement.",
  no_settlement_price: "No safe price came for the settlement."
}

const Made = ({ order }: { readonly order: ArenaOrder }) => {
  const winner = order.commitments.find(({ commitment_id: id }) => id === order.winner_commitment_id)
  const profit = winner === undefined ? undefined : winnerProfit(order, winner)
  if (winner === undefined) return <span className="soft">Nobody won</span>
  if (profit === undefined) return <span className="soft">At settlement</span>
  return <Profit value={profit} />
}

/** What the choice and the settlement came to. */
const Result = ({ order }: { readonly order: ArenaOrder }) => {
  const winner = order.commitments.find(({ commitment_id: id }) => id === order.winner_commitment_id)
  const orDash = (value: number | null) => (value === null ? <span className="soft">–</span> : price(value))
  return (
    <Card title={order.status === "settled" ? "Settlement" : "The choice"}>
      <div className="stack">
        {order.void_reason !== null && (
          <Notice tone="wait" title="The order is void">
            {VOID_REASONS[order.void_reason] ?? wordsOf(order.void_reason)} All collateral was returned.
          </Notice>
        )}
        <Facts
          rows={[
            [
              "Winner",
              winner === undefined ? (
                <span className="soft">Nobody</span>
              ) : (
                <Trader address={winner.trader_address} type={winner.trader_type} />
              )
            ],
            ["Reference price", orDash(order.reference_price)],
            ["Reserve price", orDash(order.reserve_price)],
            ["Winner pays", orDash(order.clearing_price)],
            ["Settlement price", orDash(order.settlement_price)],
            ["Winner made", <Made key="made" order={order} />]
          ]}
        />
      </div>
    </Card>
  )
}

const Terms = ({ order }: { readonly order: ArenaOrder }) => {
  const { expiryAt, openedAt, settlementAt } = timesOf(order)
  return (
    <Card title="Terms">
      <Facts
        rows={[
          ["Order", <CopyId key="id" value={order.order_id} />],
          ["Opened", <When key="opened" at={openedAt} />],
          ["Commitments close", <When key="expiry" at={expiryAt} />],
          ["Settles", <When key="settlement" at={settlementAt} />],
          ["Sold by", <Trader key="maker" address={order.market_maker} type="machine" />],
          ["Sold below the reference by", order.maker_discount === null ? "–" : percent(order.maker_discount, 2)],
          ["Others' prices", order.bids === "sealed" ? "Shown after the choice" : "Shown to all"],
          ["Hash of the tie key", <CopyId key="hash" value={order.tie_key_hash} />],
          ...(order.tie_key === null ? [] : [["Tie key", <CopyId key="key" value={order.tie_key} />] as const])
        ]}
      />
    </Card>
  )
}

const isTaking = ({ status }: ArenaOrder): boolean => status === "open" || status === "competing"

const OrderView = ({ live, order }: { readonly order: ArenaOrder; readonly live: LiveState }) => {
  const time = useArenaTime(live)
  const series = useOrderPrices(order, live)
  const competition = competitionOf(order)
  const newest = order.settlement_price ?? series.at(-1)?.price ?? order.entry_price
  const isChosen = competition.isDecided || order.status === "settled"
  return (
    <>
      <PageHead
        title={assetName(order)}
        parent={{ to: "/arena", title: "Arena" }}
        badge={
          <>
            <StatusBadge status={order.void_reason === null ? order.status : "void"} />
            {order.status !== "settled" && <LiveBadge status={live.status} />}
          </>
        }
        lead={`${ASSET_TYPE_NAMES[order.asset_type]} · ${assetNote(order)}`}
      />
      {order.status !== "settled" && <OrderClock order={order} time={time} large />}
      <Stats>
        <Stat label="Entry price" value={quote(order.entry_price)} />
        <Stat
          label={order.status === "settled" ? "Settled at" : "Price now"}
          value={quote(newest)}
          note={<Change value={newest / order.entry_price - 1} />}
        />
        <Stat
          label="Quantity"
          value={units(order.quantity)}
          note={`${usd(order.quantity * order.entry_price)} in all`}
        />
        <Stat
          label="Bids"
          value={count(competition.contenders.length)}
          note={`${usd(competition.collateral)} locked`}
        />
      </Stats>
      <div className="order-grid">
        <div className="stack">
          <Prices order={order} series={series} />
          <CompetitionCard order={order} />
        </div>
        <div className="stack">
          {isTaking(order) && <CommitForm order={order} />}
          {isChosen && <Result order={order} />}
          {isChosen && <WinnerCheckCard order={order} />}
        </div>
        <Terms order={order} />
      </div>
    </>
  )
}

/** One order: its competition live, then its settlement and the check of its winner. */
const OrderPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const live = useLiveArena()
  const streamed = live.orders.get(id)
  const asked = useApi(
    "GET /api/arena/orders/:order_id",
    { params: { order_id: id } },
    { enabled: streamed === undefined }
  )
  if (streamed !== undefined) return <OrderView order={streamed} live={live} />
  return (
    <>
      {asked.data === undefined && <PageHead title="Order" parent={{ to: "/arena", title: "Arena" }} />}
      <Loaded of={asked} lines={8}>
        {({ order }) => <OrderView order={order} live={live} />}
      </Loaded>
      {asked.error !== null && (
        <p>
          <ButtonLink to="/arena">Go to the arena</ButtonLink>
        </p>
      )}
    </>
  )
}

export default OrderPage
