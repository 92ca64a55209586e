import { useParams } from "wouter"
import type { Answer, RowOf } from "../Contract.ts"
import { useApi } from "../Data.ts"
import { NotVerified } from "../money/NotVerified.tsx"
import { DisputeNotice, OrderPayments } from "../payments/OrderPayments.tsx"
import { usePerson } from "../shell/Session.tsx"
import { Badge, StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Card, Facts, Stat, Stats } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { count, dayOf, price, shortId, usd } from "../ui/Format.ts"
import { metadataFacts } from "../ui/MetadataField.tsx"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Notice } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { CompanyName, useCompanyNames } from "./CompanyName.tsx"
import { actable, OrderActions } from "./OrderActions.tsx"
import { openActs } from "./OrderActs.ts"
import { actSentence } from "./OrderHistory.ts"
import { ProductName } from "./ProductName.tsx"

type Order = Answer<"GET /v1/orders/:id">
type Item = Order["items"][number]
type Instalment = Order["payment_terms"]["schedule"][number]
type Act = RowOf<"GET /v1/orders/:id/history">

/** How often the order is asked for again, in milliseconds. */
const EACH = 5_000

const ITEMS: ReadonlyArray<Column<Item>> = [
  { title: "Product", cell: (item) => <ProductName id={item.product_id} /> },
  { title: "Seller", cell: (item) => <CompanyName id={item.seller_company_id} />, wide: true },
  { title: "Pieces", cell: ({ quantity }) => count(quantity), align: "right" },
  { title: "Each", cell: (item) => price(item.unit_price), align: "right", wide: true },
  { title: "Total", cell: ({ total }) => usd(total), align: "right" }
]

const SCHEDULE: ReadonlyArray<Column<Instalment>> = [
  { title: "Part", cell: ({ number }) => number },
  { title: "Due", cell: (part) => dayOf(part.due_at) },
  { title: "Amount", cell: ({ amount }) => usd(amount), align: "right" },
  {
    title: "Paid",
    cell: ({ overdue_since: since, paid }) =>
      since === null ? (
        <Badge tone={paid ? "good" : "wait"}>{paid ? "Paid" : "Open"}</Badge>
      ) : (
        <Badge tone="bad">Overdue</Badge>
      ),
    align: "right"
  }
]

const Schedule = ({ order }: { readonly order: Order }) =>
  order.payment_terms.type === "prepaid" ? null : (
    <Card title="Payments due" flush>
      <Table
        label="Payments due"
        columns={SCHEDULE}
        rows={order.payment_terms.schedule}
        keyOf={({ number }) => String(number)}
      />
    </Card>
  )

const ICONS: Readonly<Record<Act["type"], string>> = {
  "order.created": "live",
  "order.paid": "good",
  "order.fulfilled": "good",
  "order.cancelled": "bad",
  "order.payment_due": "live",
  "order.overdue": "bad"
}

const History = ({ id }: { readonly id: string }) => {
  const person = usePerson()
  const names = useCompanyNames()
  const history = useApi("GET /v1/orders/:id/history", { params: { id } }, { every: EACH })
  const nameOf = (companyId: string) => names.get(companyId) ?? shortId(companyId)
  const reader = { userId: person.id, companyId: person.company_id, nameOf }
  const sentence = ({ amount, company_id: companyId, reason, type, user_id: userId }: Act) =>
    actSentence({ type, userId, companyId, reason, amount: amount === null ? null : usd(amount) }, reader)
  return (
    <Card title="History">
      <Loaded of={history}>
        {(acts) => (
          <ol className="timeline">
            {acts.toReversed().map((act) => (
              <li key={act.number} className={ICONS[act.type]}>
                <p>{sentence(act)}</p>
                <p className="soft">
                  <When at={act.at} /> · <code>{act.type}</code>
                </p>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  )
}

const TERMS: Readonly<Record<Order["payment_terms"]["type"], string>> = {
  prepaid: "Prepaid",
  net_30: "Net 30 days",
  net_60: "Net 60 days",
  installments: "Instalments"
}

const Buyer = ({ order }: { readonly order: Order }) => (
  <>
    by <CompanyName id={order.company_id} />
  </>
)

const Figures = ({ order, isBuyer }: { readonly order: Order; readonly isBuyer: boolean }) => (
  <Stats>
    <Stat label="Amount" value={usd(order.amount)} />
    <Stat label="Not paid yet" value={usd(order.amount_due)} note={wordsOf(order.payment_status)} />
    <Stat label="Terms" value={TERMS[order.payment_terms.type]} note={wordsOf(order.fulfilment_status)} />
    <Stat label="Placed" value={dayOf(order.created_at)} note={isBuyer ? undefined : <Buyer order={order} />} />
  </Stats>
)

const Shown = ({ order }: { readonly order: Order }) => {
  const { company_id: companyId } = usePerson()
  const { fulfilWaitsFor, pay } = openActs(actable(order), companyId)
  const isBuyer = order.company_id === companyId
  return (
    <>
      <PageHead
        title={`Order ${order.id.slice(0, 12)}`}
        lead={
          <>
            {isBuyer ? "Your company buys." : "Your company sells."} <CopyId value={order.id} />
          </>
        }
        badge={<StatusBadge status={order.status} />}
        parent={{ to: "/orders", title: "Orders" }}
        actions={<OrderActions order={order} />}
      />
      {pay !== "no" && <NotVerified />}
      <DisputeNotice orderId={order.id} side={isBuyer ? "payer" : "seller"} />
      {fulfilWaitsFor !== null && <Notice tone="wait" title={fulfilWaitsFor} />}
      <Figures order={order} isBuyer={isBuyer} />
      <div className="delivery-columns">
        <div className="stack">
          <Card title="Items" flush>
            <Table label="Items" columns={ITEMS} rows={order.items} keyOf={(item) => item.product_id} />
          </Card>
          <Schedule order={order} />
          <OrderPayments orderId={order.id} />
          {Object.keys(order.metadata).length > 0 && (
            <Card title="Metadata">
              <Facts rows={metadataFacts(order.metadata)} />
            </Card>
          )}
        </div>
        <History id={order.id} />
      </div>
    </>
  )
}

/** One order: what was bought, what is paid, and who did what. */
const OrderPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/orders/:id", { params: { id } }, { every: EACH })
  return (
    <LoadedPage of={found} title="Order" parent={{ to: "/orders", title: "Orders" }}>
      {(order) => <Shown order={order} />}
    </LoadedPage>
  )
}

export default OrderPage
