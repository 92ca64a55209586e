import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { count } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Problem } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { CompanyName } from "./CompanyName.tsx"
import { CustomerField, customerOf, useCustomers } from "./CustomerField.tsx"

type Row = RowOf<"GET /v1/commerce/price-lists">

const pathOf = ({ id }: Row): string => `/price-lists/${id}`

const pricesOf = ({ prices }: Row): string =>
  prices.length === 0 ? "None yet" : prices.length === 1 ? "1 product" : `${count(prices.length)} products`

const COLUMNS: ReadonlyArray<Column<Row>> = [
  {
    title: "Price list",
    cell: (row) => (
      <Link href={pathOf(row)} className="strong">
        {row.name}
      </Link>
    )
  },
  { title: "Customer", cell: (row) => <CompanyName id={row.customer_company_id} /> },
  { title: "Prices", cell: pricesOf, align: "right" },
  { title: "Changed", cell: (row) => <When at={row.updated_at} as="distance" />, align: "right", wide: true }
]

const Create = ({ onClose }: { readonly onClose: () => void }) => {
  const [, go] = useLocation()
  const known = useCustomers()
  const [name, setName] = useState("")
  const [customer, setCustomer] = useState<Parameters<typeof customerOf>[0]>({ chosen: undefined, written: "" })
  const create = useAct("POST /v1/commerce/price-lists", {
    done: "Price list created",
    quiet: true,
    changes: ["GET /v1/commerce/price-lists"],
    onDone: ({ id }) => go(`/price-lists/${id}`)
  })
  const payload = { customer_company_id: customerOf(customer, known), name, prices: [] }
  return (
    <Dialog title="New price list" onClose={onClose}>
      <Form onSubmit={() => create.mutate({ payload })}>
        <TextField
          label="Name"
          required
          maxLength={200}
          placeholder="Wholesale 2027"
          hint="For your company alone: the customer sees prices, not lists."
          value={name}
          onChange={setName}
        />
        <CustomerField value={customer} onChange={setCustomer} />
        <Problem error={create.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={create.isPending}>
            Create price list
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

/** What customers pay who have prices of their own. */
const PriceListsPage = () => {
  const [offset, setOffset] = useState(0)
  const [creating, setCreating] = useState(false)
  const lists = useRows("GET /v1/commerce/price-lists", { query: { limit: PAGE_ROWS, offset } })
  const create = (
    <Button look="main" icon="plus" onClick={() => setCreating(true)}>
      New price list
    </Button>
  )
  return (
    <>
      <PageHead
        title="Price lists"
        lead="What your products cost single customers. Everybody else pays the products' own prices."
        actions={create}
      />
      <Card flush>
        <List
          label="Price lists"
          of={lists}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          to={pathOf}
          page={{ offset, onMove: setOffset }}
          empty={
            <Empty icon="tag" title="Every customer pays the listed prices" action={create}>
              Give a customer prices of its own: its catalog and its orders have them from the next moment on.
            </Empty>
          }
        />
      </Card>
      {creating && <Create onClose={() => setCreating(false)} />}
    </>
  )
}

export default PriceListsPage
