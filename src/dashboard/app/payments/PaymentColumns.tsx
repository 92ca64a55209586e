import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { Badge, StatusBadge } from "../ui/Badge.tsx"
import type { Tone } from "../ui/Badge.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { shortId, usd } from "../ui/Format.ts"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { instrumentOf } from "./CardChoices.ts"

type Row = RowOf<"GET /v1/payments">

/** Where a payment is shown whole. */
export const paymentPath = ({ id }: Row): string => `/payments/${id}`

const DISPUTES: Readonly<Record<NonNullable<Row["dispute"]>, readonly [Tone, string]>> = {
  open: ["wait", "Disputed"],
  won: ["plain", "Dispute won"],
  lost: ["bad", "Dispute lost"]
}

/** The state of a payment, and that of its dispute where it has one. */
export const PaymentState = ({ payment }: { readonly payment: Pick<Row, "status" | "dispute"> }) => {
  const dispute = payment.dispute === null ? undefined : DISPUTES[payment.dispute]
  return (
    <span className="row tight">
      {payment.status === "partially_refunded" ? (
        <Badge tone="wait">Part refunded</Badge>
      ) : (
        <StatusBadge status={payment.status} />
      )}
      {dispute !== undefined && <Badge tone={dispute[0]}>{dispute[1]}</Badge>}
    </span>
  )
}

const name: Column<Row> = {
  title: "Payment",
  cell: (row) => (
    <div className="two-lines in-one">
      <Link href={paymentPath(row)} className="strong">
        {instrumentOf(row.provider, row.instrument)}
      </Link>
      <span className="soft">
        <When at={row.created_at} as="distance" />
      </span>
    </div>
  )
}

const id: Column<Row> = { title: "Id", cell: (row) => <CopyId value={row.id} />, wide: true }

const state: Column<Row> = { title: "Status", cell: (row) => <PaymentState payment={row} /> }

const amount: Column<Row> = { title: "Amount", cell: (row) => usd(row.amount), align: "right" }

/** The payments of one order. */
export const OF_ORDER: ReadonlyArray<Column<Row>> = [name, id, state, amount]

/** Payments of several orders. */
export const OF_COMPANY: ReadonlyArray<Column<Row>> = [
  name,
  {
    title: "Order",
    cell: (row) => (
      <Link href={`/orders/${row.order_id}`}>
        <code title={row.order_id}>{shortId(row.order_id)}</code>
      </Link>
    ),
    wide: true
  },
  id,
  state,
  amount
]
