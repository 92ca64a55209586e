import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { SearchField } from "../ui/Field.tsx"
import { count, price } from "../ui/Format.ts"
import { metadataChange, metadataText } from "../ui/MetadataText.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { BuyDialog } from "./BuyDialog.tsx"
import { CompanyName } from "./CompanyName.tsx"
import { EMPTY_PRODUCT, ProductForm, productPayload } from "./ProductForm.tsx"

type Product = RowOf<"GET /v1/commerce/products">
type Entry = RowOf<"GET /v1/commerce/catalog">

const CHANGES = ["GET /v1/commerce/products", "GET /v1/commerce/catalog"] as const

const Name = ({ product }: { readonly product: Product }) => (
  <div className="two-lines">
    <span className="strong">{product.name}</span>
    <span className="soft clipped">{product.description}</span>
    {Object.keys(product.metadata).length > 0 && <span className="soft">{metadataText(product.metadata)}</span>}
  </div>
)

const Left = ({ product }: { readonly product: Product }) =>
  product.available ? <>{count(Number(product.quantity))}</> : <Badge tone="wait">Sold out</Badge>

const Add = ({ onClose }: { readonly onClose: () => void }) => {
  const create = useAct("POST /v1/commerce/products", {
    done: "Product offered",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Dialog title="Offer a product" onClose={onClose}>
      <ProductForm
        start={EMPTY_PRODUCT}
        act="Offer product"
        busy={create.isPending}
        error={create.error}
        onSubmit={(fields) => create.mutate({ payload: productPayload(fields) })}
        onClose={onClose}
      />
    </Dialog>
  )
}

const Change = ({ product, onClose }: { readonly product: Product; readonly onClose: () => void }) => {
  const change = useAct("PUT /v1/commerce/products/:id", {
    done: "Product changed",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Dialog title={`Change ${product.name}`} onClose={onClose}>
      <ProductForm
        start={{ ...product, price: String(product.price), metadata: metadataText(product.metadata) }}
        act="Save"
        busy={change.isPending}
        error={change.error}
        onSubmit={(fields) => {
          const payload = productPayload(fields)
          const metadata = metadataChange(product.metadata, payload.metadata)
          change.mutate({ params: { id: product.id }, payload: { ...payload, metadata } })
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}

/** What the company sells. */
const Own = ({ onAdd }: { readonly onAdd: () => void }) => {
  const { company_id } = usePerson()
  const [offset, setOffset] = useState(0)
  const [changed, setChanged] = useState<Product>()
  const products = useRows("GET /v1/commerce/products", { query: { company_id, limit: PAGE_ROWS, offset } })
  const columns: ReadonlyArray<Column<Product>> = [
    { title: "Product", cell: (product) => <Name product={product} /> },
    { title: "Type", cell: ({ type }) => type, wide: true },
    { title: "Price", cell: (product) => price(product.price), align: "right" },
    { title: "For sale", cell: (product) => <Left product={product} />, align: "right" },
    { title: "Reserved", cell: ({ reserved }) => count(Number(reserved)), align: "right", wide: true },
    {
      title: "Change",
      cell: (product) => (
        <Button size="small" onClick={() => setChanged(product)} aria-label={`Change ${product.name}`}>
          Change
        </Button>
      ),
      align: "right"
    }
  ]
  return (
    <Card flush>
      <List
        label="Products of your company"
        of={products}
        columns={columns}
        keyOf={({ id }) => id}
        page={{ offset, onMove: setOffset }}
        empty={
          <Empty
            icon="box"
            title="Your company sells nothing yet"
            action={
              <Button look="main" icon="plus" onClick={onAdd}>
                Offer a product
              </Button>
            }
          >
            Other companies see what you offer in their catalog. It is paid into your USD fund.
          </Empty>
        }
      />
      {changed !== undefined && <Change product={changed} onClose={() => setChanged(undefined)} />}
    </Card>
  )
}

const CatalogPrice = ({ entry }: { readonly entry: Entry }) => (
  <div className="two-lines">
    <span>{price(entry.price)}</span>
    {entry.price !== entry.list_price && <span className="soft">for you, listed {price(entry.list_price)}</span>}
  </div>
)

/** What the company can buy. */
const Catalog = () => {
  const [offset, setOffset] = useState(0)
  const [q, setQ] = useState("")
  const [bought, setBought] = useState<Entry>()
  const query = { ...(q === "" ? {} : { q }), limit: PAGE_ROWS, offset }
  const entries = useRows("GET /v1/commerce/catalog", { query })
  const columns: ReadonlyArray<Column<Entry>> = [
    { title: "Product", cell: (entry) => <Name product={entry} /> },
    { title: "Seller", cell: (entry) => <CompanyName id={entry.company_id} />, wide: true },
    { title: "Type", cell: ({ type }) => type, wide: true },
    { title: "Your price", cell: (entry) => <CatalogPrice entry={entry} />, align: "right" },
    { title: "Left", cell: (entry) => <Left product={entry} />, align: "right", wide: true },
    {
      title: "Order",
      cell: (entry) => (
        <Button
          size="small"
          icon="cart"
          disabled={!entry.available}
          aria-label={`Order ${entry.name}`}
          onClick={() => setBought(entry)}
        >
          Order
        </Button>
      ),
      align: "right"
    }
  ]
  return (
    <Card flush>
      <div className="list-filters">
        <SearchField
          placeholder="Name or description"
          value={q}
          onChange={(text) => {
            setQ(text)
            setOffset(0)
          }}
        />
      </div>
      <List
        label="Products of other companies"
        of={entries}
        columns={columns}
        keyOf={({ id }) => id}
        page={{ offset, onMove: setOffset }}
        empty={
          <Empty icon="search" title={q === "" ? "Nobody offers anything yet" : "Nothing matches"}>
            {q === "" ? "What other companies offer appears here." : "Search for a part of the name or description."}
          </Empty>
        }
      />
      {bought !== undefined && <BuyDialog entry={bought} onClose={() => setBought(undefined)} />}
    </Card>
  )
}

/** What there is to sell and to buy. */
const ProductsPage = () => {
  const [shown, setShown] = useState<"own" | "catalog">("catalog")
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHead
        title="Products"
        lead="What other companies offer at your prices, and what your own company sells."
        actions={
          <Button look="main" icon="plus" onClick={() => setAdding(true)}>
            Offer a product
          </Button>
        }
      />
      <Tabs
        label="Products"
        tabs={[
          ["catalog", "To buy"],
          ["own", "Yours"]
        ]}
        chosen={shown}
        onChoose={setShown}
      />
      {shown === "own" ? <Own onAdd={() => setAdding(true)} /> : <Catalog />}
      {adding && (
        <Add
          onClose={() => {
            setAdding(false)
            setShown("own")
          }}
        />
      )}
    </>
  )
}

export default ProductsPage
