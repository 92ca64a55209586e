import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useApi, useRows } from "../Data.ts"
import { NotVerified } from "../money/NotVerified.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { SelectField } from "../ui/Field.tsx"
import { dayOf, shortId, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import { PayForm } from "./PayDialog.tsx"
import { OF_COMPANY, paymentPath } from "./PaymentColumns.tsx"

type Order = RowOf<"GET /v1/orders">

/** Orders that are looked through for those that are still to be paid. */
const LOOKED_AT = 100

const isOpen = ({ amount_due: due, status }: Order): boolean => status !== "cancelled" && due > 0

const labelOf = (order: Order): string => `${shortId(order.id)} · ${usd(order.amount_due)} · ${dayOf(order.created_at)}`

interface ChoiceProps {
  readonly orders: ReadonlyArray<Order>
  readonly onClose: () => void
}

const Choice = ({ orders, onClose }: ChoiceProps) => {
  const [chosen, setChosen] = useState<string>()
  const order = orders.find(({ id }) => id === chosen) ?? orders[0]
  if (order === undefined) {
    return (
      <Empty
        icon="check"
        title="No order waits to be paid"
        action={<ButtonLink to="/products">See what is offered</ButtonLink>}
      >
        What your company orders can be paid here.
      </Empty>
    )
  }
  return (
    <>
      <SelectField
        label="Order"
        value={order.id}
        onChange={setChosen}
        options={orders.map((one) => [one.id, labelOf(one)] as const)}
      />
      <PayForm key={order.id} order={order} onClose={onClose} />
    </>
  )
}

const PayAnOrder = ({ onClose }: { readonly onClose: () => void }) => {
  const orders = useApi("GET /v1/orders", { query: { role: "buyer", limit: LOOKED_AT } })
  return (
    <Dialog title="Pay an order" onClose={onClose}>
      <Loaded of={orders}>{(all) => <Choice orders={all.filter(isOpen)} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

/** What the company has paid for its orders. */
const PaymentsPage = () => {
  const [offset, setOffset] = useState(0)
  const [paying, setPaying] = useState(false)
  const payments = useRows("GET /v1/payments", { query: { limit: PAGE_ROWS, offset } }, { every: 10_000 })
  const pay = (
    <Button look="main" icon="card" onClick={() => setPaying(true)}>
      Pay an order
    </Button>
  )
  return (
    <>
      <PageHead
        title="Payments"
        lead="What your company has paid for its orders. Payments to your company stand on the orders' own pages."
        actions={pay}
      />
      <NotVerified />
      <Card flush>
        <List
          label="Payments"
          of={payments}
          columns={OF_COMPANY}
          keyOf={({ id }) => id}
          to={paymentPath}
          page={{ offset, onMove: setOffset }}
          empty={
            <Empty icon="receipt" title="No payments yet" action={pay}>
              Pay an order from your USD fund, or in the sandbox by a test card that is approved, declined, late or
              disputed.
            </Empty>
          }
        />
      </Card>
      {paying && <PayAnOrder onClose={() => setPaying(false)} />}
    </>
  )
}

export default PaymentsPage
