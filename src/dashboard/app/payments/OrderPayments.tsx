import { useRows } from "../Data.ts"
import { Card } from "../ui/Card.tsx"
import { Notice } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { OF_ORDER, paymentPath } from "./PaymentColumns.tsx"
import { adviceOf } from "./PaymentReading.ts"
import type { Side } from "./PaymentReading.ts"

/** How often they are asked for again, in milliseconds. */
const EACH = 5_000

/** Payments that are shown of one order. */
const MOST = 100

const usePayments = (orderId: string) =>
  useRows("GET /v1/payments", { query: { order_id: orderId, limit: MOST } }, { every: EACH })

/** Says on an order's page that a payment of it is disputed. Nothing else. */
export const DisputeNotice = ({ orderId, side }: { readonly orderId: string; readonly side: Side }) => {
  const disputed = usePayments(orderId).data?.rows.find(({ dispute }) => dispute === "open")
  const advice = disputed === undefined ? undefined : adviceOf(disputed, side)
  return advice === undefined ? null : (
    <Notice tone={advice.tone} title={advice.title}>
      {advice.text}
    </Notice>
  )
}

/** The payments of an order. Nothing where there are none. */
export const OrderPayments = ({ orderId }: { readonly orderId: string }) => {
  const rows = usePayments(orderId).data?.rows ?? []
  return rows.length === 0 ? null : (
    <Card title="Payments" flush>
      <Table label="Payments" columns={OF_ORDER} rows={rows} keyOf={({ id }) => id} to={paymentPath} />
    </Card>
  )
}
