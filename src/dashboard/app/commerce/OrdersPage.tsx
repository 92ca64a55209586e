import { useState } from "react"
import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Badge, StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { SelectField } from "../ui/Field.tsx"
import { shortId, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"
import { CompanyName } from "./CompanyName.tsx"

type Row = RowOf<"GET /v1/orders">
type Side = "all" | "buyer" | "seller"
type Status = Row["status"] | "all"

const SIDES: ReadonlyArray<readonly [Side, string]> = [
  ["all", "All"],
  ["buyer", "Bought"],
  ["seller", "Sold"]
]

const STATUSES: ReadonlyArray<readonly [Status, string]> = [
  ["all", "Any status"],
  ["pending", "Pending"],
  ["paid", "Paid"],
  ["fulfilled", "Fulfilled"],
  ["cancelled", "Cancelled"]
]

const pathOf = ({ id }: Row): string => `/orders/${id}`

const itemsOf = ({ item_count: items }: Row): string => (items === 1 ? "1 item" : `${items} items`)

/** What of the order is the company's: all of what it buys, its own part of what it sells. */
const amountOf = (row: Row, companyId: string): number =>
  row.company_id === companyId
    ? row.amount
    : row.sellers.reduce((sum, { company_id: seller, subtotal }) => (seller === companyId ? sum + subtotal : sum), 0)

/** The other side: who buys, or who sells; of several sellers their number. */
const Others = ({ row, companyId }: { readonly row: Row; readonly companyId: string }) => {
  const [seller] = row.sellers
  if (row.company_id !== companyId) return <CompanyName id={row.company_id} />
  if (row.sellers.length !== 1 || seller === undefined) return <>{row.sellers.length} sellers</>
  return <CompanyName id={seller.company_id} />
}

const columnsFor = (companyId: string): ReadonlyArray<Column<Row>> => [
  {
    title: "Order",
    cell: (row) => (
      <div className="two-lines">
        <Link href={pathOf(row)}>
          <code title={row.id}>{shortId(row.id)}</code>
        </Link>
        <span className="soft">{itemsOf(row)}</span>
      </div>
    )
  },
  { title: "Side", cell: (row) => <Badge>{row.company_id === companyId ? "Bought" : "Sold"}</Badge>, wide: true },
  { title: "With", cell: (row) => <Others row={row} companyId={companyId} />, wide: true },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Payment", cell: (row) => wordsOf(row.payment_status), wide: true },
  { title: "Amount", cell: (row) => usd(amountOf(row, companyId)), align: "right" },
  { title: "Placed", cell: (row) => <When at={row.created_at} as="distance" />, align: "right", wide: true }
]

/** What the company has bought and sold. */
const OrdersPage = () => {
  const { company_id: companyId } = usePerson()
  const [side, setSide] = useState<Side>("all")
  const [status, setStatus] = useState<Status>("all")
  const [offset, setOffset] = useState(0)
  const query = {
    ...(side === "all" ? {} : { role: side }),
    ...(status === "all" ? {} : { status }),
    limit: PAGE_ROWS,
    offset
  }
  const orders = useRows("GET /v1/orders", { query }, { every: 10_000 })
  return (
    <>
      <PageHead
        title="Orders"
        lead="What your company has bought of others, and others of it."
        actions={
          <ButtonLink to="/products" look="main" icon="cart">
            Order something
          </ButtonLink>
        }
      />
      <Card flush>
        <div className="list-filters">
          <Tabs
            label="Orders by side"
            tabs={SIDES}
            chosen={side}
            onChoose={(chosen) => {
              setSide(chosen)
              setOffset(0)
            }}
          />
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
          label="Orders"
          of={orders}
          columns={columnsFor(companyId)}
          keyOf={({ id }) => id}
          to={pathOf}
          page={{ offset, onMove: setOffset }}
          empty={
            <Empty
              icon="cart"
              title="No orders here yet"
              action={<ButtonLink to="/products">See what is offered</ButtonLink>}
            >
              Order a product of another company, or offer one of your own.
            </Empty>
          }
        />
      </Card>
    </>
  )
}

export default OrdersPage
