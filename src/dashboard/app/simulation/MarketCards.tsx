import { Badge, StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { Chart } from "../ui/Chart.tsx"
import { clockOf, count, price, signedUsd, usd } from "../ui/Format.ts"
import { Empty } from "../ui/States.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import type { EventShown, MarketShown, OrderShown, StepView, TraderShown } from "./StepView.ts"

const levelsOf = ({ clearingPrice, entryPrice, reference, settlementPrice }: OrderShown) =>
  [
    { name: "entry", value: entryPrice },
    { name: "reference", value: reference },
    { name: "clearing", value: clearingPrice },
    { name: "settled", value: settlementPrice }
  ].flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))

/** The prices round one order. */
export const MarketCard = ({ market }: { readonly market: MarketShown | undefined }) => (
  <Card title={market === undefined ? "Market" : `Price of ${market.order.asset}`}>
    {market === undefined ? (
      <Empty icon="chart" title="No order was opened yet" />
    ) : market.order.assetType === "options" ? (
      <>
        <p className="soft">The price of what the option is on. The option itself is worth a part of it.</p>
        <Chart label="Price of the underlying" lines={[{ name: "Price", points: market.points }]} format={price} />
      </>
    ) : (
      <Chart
        label={`Price of ${market.order.asset}`}
        lines={[{ name: "Price", points: market.points }]}
        levels={levelsOf(market.order)}
        format={price}
      />
    )}
  </Card>
)

const dash = "–"

/** Of prices in a table. */
const DECIMALS = 4

const orderColumns = (
  onChoose: (id: string) => void,
  chosen: string | undefined
): ReadonlyArray<Column<OrderShown>> => [
  {
    title: "Order",
    cell: ({ asset, assetType, id }) => (
      <button type="button" className="link" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
        {asset} <span className="soft">{wordsOf(assetType)}</span>
      </button>
    )
  },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Bids", align: "right", cell: ({ commitments }) => count(commitments) },
  { title: "Entry", align: "right", cell: ({ entryPrice }) => usd(entryPrice, DECIMALS) },
  {
    title: "Clearing",
    align: "right",
    cell: ({ clearingPrice }) => (clearingPrice === undefined ? dash : usd(clearingPrice, DECIMALS))
  },
  { title: "Winner", cell: ({ winner }) => (winner === undefined ? dash : <code>{winner}</code>) },
  {
    title: "Profit",
    align: "right",
    cell: ({ profit, winner }) =>
      winner === undefined || profit === undefined ? (
        dash
      ) : (
        <span className={profit < 0 ? "loss" : "gain"}>{signedUsd(profit)}</span>
      )
  }
]

interface OrdersCardProps {
  readonly orders: ReadonlyArray<OrderShown>
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

export const OrdersCard = ({ chosen, onChoose, orders }: OrdersCardProps) => (
  <Card title="Orders" flush>
    {orders.length === 0 ? (
      <Empty icon="receipt" title="No order was opened yet" />
    ) : (
      <div className="scrolled">
        <Table label="Orders" columns={orderColumns(onChoose, chosen)} rows={orders} keyOf={({ id }) => id} />
      </div>
    )}
  </Card>
)

const CENT = 0.005

const toneOf = (change: number): string => (change <= -CENT ? "loss" : change >= CENT ? "gain" : "soft")

const TRADER_COLUMNS: ReadonlyArray<Column<TraderShown>> = [
  { title: "Trader", cell: ({ id }) => <code>{id}</code> },
  { title: "Kind", wide: true, cell: ({ type }) => <Badge>{wordsOf(type)}</Badge> },
  { title: "Balance", align: "right", cell: ({ balance }) => usd(balance) },
  { title: "Held", align: "right", cell: ({ held }) => usd(held) },
  {
    title: "Change",
    align: "right",
    cell: ({ change }) => <span className={toneOf(change)}>{Math.abs(change) < CENT ? usd(0) : signedUsd(change)}</span>
  }
]

export const TradersCard = ({ traders }: { readonly traders: ReadonlyArray<TraderShown> }) => (
  <Card title="Balances" flush>
    <div className="scrolled">
      <Table label="Balances" columns={TRADER_COLUMNS} rows={traders} keyOf={({ id }) => id} />
    </div>
  </Card>
)

/** `CommitmentSubmitted` → `Commitment submitted`. */
export const eventName = (tag: string): string => {
  const words = tag.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const Event = ({
  event: { at, data, seq, step, stream, tag },
  isNew
}: {
  readonly event: EventShown
  readonly isNew: boolean
}) => (
  <li className={isNew ? "new" : ""}>
    <details>
      <summary>
        <span className="number soft">{count(seq)}</span>
        <span>{eventName(tag)}</span>
        <code className="soft">{stream}</code>
        <time className="when soft" title={`Step ${step}`}>
          {clockOf(at)}
        </time>
      </summary>
      <pre className="code" tabIndex={0} aria-label={`Event ${seq}`}>
        <code>{JSON.stringify(JSON.parse(data), null, 2)}</code>
      </pre>
    </details>
  </li>
)

export const EventsCard = ({ view }: { readonly view: StepView }) => (
  <Card title="Events" flush>
    {view.events.length === 0 ? (
      <Empty icon="activity" title="Nothing was recorded yet" />
    ) : (
      <ul className="event-list" tabIndex={0} aria-label="Events, the newest first">
        {view.events.map((event) => (
          <Event key={event.seq} event={event} isNew={event.step === view.step} />
        ))}
      </ul>
    )}
  </Card>
)
