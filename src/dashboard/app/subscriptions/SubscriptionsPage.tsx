import { useState } from "react"
import { Link } from "wouter"
import { CompanyName } from "../commerce/CompanyName.tsx"
import { ProductName } from "../commerce/ProductName.tsx"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { NotVerified } from "../money/NotVerified.tsx"
import { usePerson } from "../shell/Session.tsx"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { SelectField } from "../ui/Field.tsx"
import { count, dayOf, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { Offers } from "./Offers.tsx"
import { everyOf } from "./SubscriptionStory.ts"

type Row = RowOf<"GET /v1/subscriptions">
type Side = "buyer" | "seller"
type Status = Row["status"] | "all"

const STATUSES: ReadonlyArray<readonly [Status, string]> = [
  ["all", "Any status"],
  ["active", "Active"],
  ["past_due", "Past due"],
  ["completed", "Completed"],
  ["cancelled", "Cancelled"]
]

const pathOf = ({ id }: Row): string => `/subscriptions/${id}`

const nextOf = ({ cancel_at: end, next_at: next }: Row): string => {
  if (end !== null) return `Ends ${dayOf(end)}`
  return next === null ? "None" : dayOf(next)
}

const columnsFor = (companyId: string): ReadonlyArray<Column<Row>> => [
  {
    title: "Subscription",
    cell: (row) => (
      <div className="two-lines">
        <Link href={pathOf(row)} className="strong">
          <ProductName id={row.product_id} />
        </Link>
        <span className="soft">
          {count(row.quantity)} {row.quantity === 1 ? "piece" : "pieces"} {everyOf(row.interval)}
        </span>
      </div>
    )
  },
  {
    title: "With",
    cell: (row) => <CompanyName id={row.company_id === companyId ? row.seller_company_id : row.company_id} />,
    wide: true
  },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Next period", cell: nextOf, align: "right", wide: true },
  {
    title: "Paid",
    cell: (row) => (row.periods === null ? row.paid_periods : `${row.paid_periods} of ${row.periods}`),
    align: "right",
    wide: true
  },
  { title: "A period", cell: (row) => usd(row.price), align: "right" }
]

interface MineProps {
  readonly side: Side
  readonly onOffers: () => void
}

const None = ({ side, onOffers }: MineProps) =>
  side === "buyer" ? (
    <Empty
      icon="repeat"
      title="Your company subscribes to nothing"
      action={
        <Button look="main" icon="plus" onClick={onOffers}>
          See what is available
        </Button>
      }
    >
      Buy a product each week, month or year at a price that stays. You can cancel at any time.
    </Empty>
  ) : (
    <Empty
      icon="box"
      title="Nobody subscribes to your products"
      action={<ButtonLink to="/products">Products</ButtonLink>}
    >
      Every product that your company offers can be subscribed to. Each period is paid into your USD fund.
    </Empty>
  )

const Mine = ({ side, onOffers }: MineProps) => {
  const { company_id: companyId } = usePerson()
  const [status, setStatus] = useState<Status>("all")
  const [offset, setOffset] = useState(0)
  const query = { role: side, ...(status === "all" ? {} : { status }), limit: PAGE_ROWS, offset }
  const subscriptions = useRows("GET /v1/subscriptions", { query }, { every: 15_000 })
  return (
    <Card flush>
      <div className="list-filters">
        <SelectField
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(chosen) => {
            setStatus(chosen)
            setOffset(0)
          }}
        />
      </div>
      <List
        label={side === "buyer" ? "Subscriptions of your company" : "Subscriptions to your products"}
        of={subscriptions}
        columns={columnsFor(companyId)}
        keyOf={({ id }) => id}
        to={pathOf}
        page={{ offset, onMove: setOffset }}
        empty={
          status === "all" ? (
            <None side={side} onOffers={onOffers} />
          ) : (
            <Empty icon="search" title="None has this status" />
          )
        }
      />
    </Card>
  )
}

/** What the company buys and sells each period, and what it can subscribe to. */
const SubscriptionsPage = () => {
  const [shown, setShown] = useState<Side | "offers">("buyer")
  const offers = () => setShown("offers")
  return (
    <>
      <PageHead
        title="Subscriptions"
        lead="What your company buys of others each week, month or year, and others of it."
        actions={
          <Button look="main" icon="plus" onClick={offers}>
            Subscribe
          </Button>
        }
      />
      <NotVerified />
      <Tabs
        label="Subscriptions"
        tabs={[
          ["buyer", "Yours"],
          ["seller", "To your products"],
          ["offers", "Available"]
        ]}
        chosen={shown}
        onChoose={setShown}
      />
      {shown === "offers" ? <Offers /> : <Mine key={shown} side={shown} onOffers={offers} />}
    </>
  )
}

export default SubscriptionsPage
