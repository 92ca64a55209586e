import { Link, useParams } from "wouter"
import { CompanyName } from "../commerce/CompanyName.tsx"
import type { Answer } from "../Contract.ts"
import { useApi } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { StatusBadge } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card, Facts, Stat, Stats } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { shortId, usd } from "../ui/Format.ts"
import { metadataFacts } from "../ui/MetadataField.tsx"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Notice } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { CARDS, instrumentOf } from "./CardChoices.ts"
import { PaymentActions } from "./PaymentActions.tsx"
import { PaymentState } from "./PaymentColumns.tsx"
import { adviceOf, openPaymentActs, reasonOf } from "./PaymentReading.ts"
import type { Side } from "./PaymentReading.ts"

type Payment = Answer<"GET /v1/payments/:id">
type Refund = Payment["refunds"][number]

/** How often the payment is asked for again, in milliseconds. */
const EACH = 3_000

const CAUSES: Readonly<Record<Refund["reason"], string>> = {
  seller: "The seller gave it back",
  unneeded: "The order was cancelled, or paid otherwise"
}

const REFUNDS: ReadonlyArray<Column<Refund>> = [
  {
    title: "Refund",
    cell: (refund) => (
      <div className="two-lines">
        <span>{CAUSES[refund.reason]}</span>
        <span className="soft">
          {refund.failure === null ? <When at={refund.created_at} /> : reasonOf(refund.failure)}
        </span>
      </div>
    )
  },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Amount", cell: ({ amount }) => usd(amount), align: "right" }
]

const Refunds = ({ refunds }: { readonly refunds: Payment["refunds"] }) => (
  <Card title="Refunds" flush>
    {refunds.length === 0 ? (
      <Empty icon="refresh" title="Nothing was given back">
        Before anything is delivered, cancel the order and all of it goes back. After that the seller refunds it here.
      </Empty>
    ) : (
      <Table label="Refunds" columns={REFUNDS} rows={refunds} keyOf={({ id }) => id} />
    )}
  </Card>
)

const Details = ({ payment }: { readonly payment: Payment }) => {
  const story = CARDS.find(({ name }) => payment.provider === "sandbox-card" && name === payment.instrument)?.story
  return (
    <Card title="Details">
      <Facts
        rows={[
          [
            "Order",
            <Link key="order" href={`/orders/${payment.order_id}`}>
              <code title={payment.order_id}>{shortId(payment.order_id)}</code>
            </Link>
          ],
          ["Paid by", <CompanyName key="payer" id={payment.company_id} />],
          [
            "Paid with",
            <div key="with" className="two-lines">
              <span>{instrumentOf(payment.provider, payment.instrument)}</span>
              {story !== undefined && <span className="soft">{story}</span>}
            </div>
          ],
          ["Pays", payment.extent === "next" ? "The next instalment" : "All that was left"],
          ["Taken", payment.capture === "manual" ? "When you say so" : "At once"],
          ["Begun", <When key="begun" at={payment.created_at} />],
          ["Last change", <When key="changed" at={payment.updated_at} />],
          ...metadataFacts(payment.metadata)
        ]}
      />
    </Card>
  )
}

const Figures = ({ payment }: { readonly payment: Payment }) => (
  <Stats>
    <Stat label="Amount" value={usd(payment.amount)} />
    <Stat label="Taken" value={usd(payment.captured)} />
    <Stat label="Paid on the order" value={usd(payment.applied)} />
    <Stat
      label="Given back"
      value={usd(payment.refunded)}
      note={payment.refunding > 0 ? `${usd(payment.refunding)} on the way` : undefined}
    />
  </Stats>
)

/** What to know first, and the way on where there is one. */
const Advised = ({ payment, side }: { readonly payment: Payment; readonly side: Side }) => {
  const advice = adviceOf(payment, side)
  if (advice === undefined) return null
  const needsMoney = side === "seller" && payment.dispute === "open"
  const action = needsMoney ? { action: <ButtonLink to="/funds">See your funds</ButtonLink> } : {}
  return (
    <Notice tone={advice.tone} title={advice.title} {...action}>
      {advice.text}
    </Notice>
  )
}

const Shown = ({ payment }: { readonly payment: Payment }) => {
  const { company_id: companyId } = usePerson()
  const order = useApi("GET /v1/orders/:id", { params: { id: payment.order_id } })
  const side: Side = payment.company_id === companyId ? "payer" : "seller"
  const hasDelivered = order.data !== undefined && order.data.fulfilment_status !== "unfulfilled"
  return (
    <>
      <PageHead
        title={`Payment ${payment.id.slice(0, 12)}`}
        lead={
          <>
            {side === "payer" ? "Your company pays." : "Your company is paid."} <CopyId value={payment.id} />
          </>
        }
        badge={<PaymentState payment={payment} />}
        parent={{ to: "/payments", title: "Payments" }}
        actions={<PaymentActions payment={payment} acts={openPaymentActs(payment, side, hasDelivered)} />}
      />
      <Advised payment={payment} side={side} />
      <Figures payment={payment} />
      <div className="delivery-columns">
        {payment.captured > 0 && <Refunds refunds={payment.refunds} />}
        <Details payment={payment} />
      </div>
    </>
  )
}

/** One payment: where its money is, and what can be done about it. */
const PaymentPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/payments/:id", { params: { id } }, { every: EACH })
  return (
    <LoadedPage of={found} title="Payment" parent={{ to: "/payments", title: "Payments" }}>
      {(payment) => <Shown payment={payment} />}
    </LoadedPage>
  )
}

export default PaymentPage
