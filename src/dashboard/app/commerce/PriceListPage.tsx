import { useState } from "react"
import { useLocation, useParams } from "wouter"
import type { Answer, RowOf } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { price } from "../ui/Format.ts"
import { LoadedPage } from "../ui/LoadedPage.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Problem } from "../ui/States.tsx"
import { PAGE_ROWS, Pager, Table } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { CompanyName } from "./CompanyName.tsx"
import { AddPrice, ChangePrice } from "./PriceDialog.tsx"
import { differenceOf, withoutPrice, withPrice } from "./PriceEntries.ts"
import type { PriceEntry } from "./PriceEntries.ts"
import { ProductName } from "./ProductName.tsx"

type PriceList = Answer<"GET /v1/commerce/price-lists/:id">
type Product = RowOf<"GET /v1/commerce/products">

const CHANGES = ["GET /v1/commerce/price-lists", "GET /v1/commerce/price-lists/:id"] as const

/** Products that are read at once; others are asked for one by one. */
const MOST = 100

const useOwnProducts = (): ReadonlyMap<string, Product> => {
  const { company_id } = usePerson()
  const { data = [] } = useApi("GET /v1/commerce/products", { query: { company_id, limit: MOST } })
  return new Map(data.map((product) => [product.id, product]))
}

const Rename = ({ list, onClose }: { readonly list: PriceList; readonly onClose: () => void }) => {
  const [name, setName] = useState(list.name)
  const rename = useAct("PUT /v1/commerce/price-lists/:id", {
    done: "Price list renamed",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Dialog title="Rename the price list" onClose={onClose}>
      <Form onSubmit={() => rename.mutate({ params: { id: list.id }, payload: { name } })}>
        <TextField label="Name" required maxLength={200} value={name} onChange={setName} />
        <Problem error={rename.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={rename.isPending}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const Delete = ({ list, onClose }: { readonly list: PriceList; readonly onClose: () => void }) => {
  const [, go] = useLocation()
  const remove = useAct("DELETE /v1/commerce/price-lists/:id", {
    done: "Price list deleted",
    changes: ["GET /v1/commerce/price-lists"],
    onDone: () => go("/price-lists")
  })
  return (
    <Confirm
      title={`Delete ${list.name}`}
      act="Delete price list"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: list.id } })}
      onClose={onClose}
    >
      <p>The customer pays the listed prices from then on. Orders that stand keep theirs. It cannot be undone.</p>
    </Confirm>
  )
}

interface EntriesProps {
  readonly list: PriceList
  readonly products: ReadonlyMap<string, Product>
  readonly busy: boolean
  readonly onChange: (entry: PriceEntry) => void
  readonly onRemove: (entry: PriceEntry) => void
}

const Entries = ({ list, products, busy, onChange, onRemove }: EntriesProps) => {
  const [offset, setOffset] = useState(0)
  const nameOf = ({ product_id }: PriceEntry) => products.get(product_id)?.name ?? product_id
  const listed = ({ product_id }: PriceEntry) => products.get(product_id)?.price
  const columns: ReadonlyArray<Column<PriceEntry>> = [
    {
      title: "Product",
      cell: (entry) => products.get(entry.product_id)?.name ?? <ProductName id={entry.product_id} />
    },
    {
      title: "Listed",
      cell: (entry) => {
        const usual = listed(entry)
        return usual === undefined ? "" : price(usual)
      },
      align: "right",
      wide: true
    },
    {
      title: "Their price",
      cell: (entry) => {
        const usual = listed(entry)
        return (
          <div className="two-lines">
            <span className="strong">{price(entry.price)}</span>
            {usual !== undefined && <span className="soft">{differenceOf(usual, entry.price)}</span>}
          </div>
        )
      },
      align: "right"
    },
    {
      title: "",
      cell: (entry) => (
        <span className="row tight end">
          <Button size="small" aria-label={`Change the price of ${nameOf(entry)}`} onClick={() => onChange(entry)}>
            Change
          </Button>
          <IconButton
            icon="trash"
            label={`Remove the price of ${nameOf(entry)}`}
            disabled={busy}
            onClick={() => onRemove(entry)}
          />
        </span>
      ),
      align: "right"
    }
  ]
  return (
    <>
      <Table
        label="Prices"
        columns={columns}
        rows={list.prices.slice(offset, offset + PAGE_ROWS)}
        keyOf={({ product_id }) => product_id}
      />
      <Pager total={list.prices.length} offset={offset} onMove={setOffset} />
    </>
  )
}

type Open = "add" | "rename" | "delete" | PriceEntry

const Shown = ({ list }: { readonly list: PriceList }) => {
  const [open, setOpen] = useState<Open>()
  const products = useOwnProducts()
  const close = () => setOpen(undefined)
  const save = useAct("PUT /v1/commerce/price-lists/:id", {
    done: "Prices saved",
    quiet: typeof open === "object" || open === "add",
    changes: CHANGES,
    onDone: close
  })
  const put = (prices: ReadonlyArray<PriceEntry>) => save.mutate({ params: { id: list.id }, payload: { prices } })
  const begin = (what: Open) => {
    save.reset()
    setOpen(what)
  }
  const saving = {
    busy: save.isPending,
    error: save.error,
    onSave: (entry: PriceEntry) => put(withPrice(list.prices, entry)),
    onClose: close
  }
  const add = (
    <Button look="main" icon="plus" onClick={() => begin("add")}>
      Add a price
    </Button>
  )
  return (
    <>
      <PageHead
        title={list.name}
        lead={
          <>
            They hold for every order from now on. Customer: <CompanyName id={list.customer_company_id} />
          </>
        }
        parent={{ to: "/price-lists", title: "Price lists" }}
        actions={
          <>
            {add}
            <Button onClick={() => begin("rename")}>Rename</Button>
            <Button look="danger" icon="trash" onClick={() => begin("delete")}>
              Delete
            </Button>
          </>
        }
      />
      <Card title="Prices" flush>
        {list.prices.length === 0 ? (
          <Empty icon="tag" title="No prices yet" action={add}>
            Until there is one, the customer pays the listed prices.
          </Empty>
        ) : (
          <Entries
            list={list}
            products={products}
            busy={save.isPending}
            onChange={begin}
            onRemove={(entry) => put(withoutPrice(list.prices, entry.product_id))}
          />
        )}
      </Card>
      {open === "add" && <AddPrice priced={list.prices} {...saving} />}
      {open === "rename" && <Rename list={list} onClose={close} />}
      {open === "delete" && <Delete list={list} onClose={close} />}
      {typeof open === "object" && (
        <ChangePrice key={open.product_id} entry={open} product={products.get(open.product_id)} {...saving} />
      )}
    </>
  )
}

/** One price list: what a customer pays for which product. */
const PriceListPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /v1/commerce/price-lists/:id", { params: { id } })
  return (
    <LoadedPage of={found} title="Price list" parent={{ to: "/price-lists", title: "Price lists" }} lines={6}>
      {(list) => <Shown list={list} />}
    </LoadedPage>
  )
}

export default PriceListPage
