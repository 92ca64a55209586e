import { useState } from "react"
import { CompanyName } from "../commerce/CompanyName.tsx"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { SearchField } from "../ui/Field.tsx"
import { count, price } from "../ui/Format.ts"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { SubscribeDialog } from "./SubscribeDialog.tsx"

type Entry = RowOf<"GET /v1/commerce/catalog">

const columnsFor = (onTake: (entry: Entry) => void): ReadonlyArray<Column<Entry>> => [
  {
    title: "Product",
    cell: (entry) => (
      <div className="two-lines">
        <span className="strong">{entry.name}</span>
        <span className="soft clipped">{entry.description}</span>
      </div>
    )
  },
  { title: "Seller", cell: (entry) => <CompanyName id={entry.company_id} />, wide: true },
  { title: "A piece", cell: (entry) => price(entry.price), align: "right" },
  {
    title: "Left",
    cell: (entry) => (entry.available ? count(Number(entry.quantity)) : <Badge tone="wait">Sold out</Badge>),
    align: "right",
    wide: true
  },
  {
    title: "",
    cell: (entry) => (
      <Button size="small" icon="repeat" aria-label={`Subscribe to ${entry.name}`} onClick={() => onTake(entry)}>
        Subscribe
      </Button>
    ),
    align: "right"
  }
]

/** What the company can subscribe to: every product of the others, at the company's own prices. */
export const Offers = () => {
  const [offset, setOffset] = useState(0)
  const [q, setQ] = useState("")
  const [taken, setTaken] = useState<Entry>()
  const query = { ...(q === "" ? {} : { q }), limit: PAGE_ROWS, offset }
  const entries = useRows("GET /v1/commerce/catalog", { query })
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
        label="What you can subscribe to"
        of={entries}
        columns={columnsFor(setTaken)}
        keyOf={({ id }) => id}
        page={{ offset, onMove: setOffset }}
        empty={
          q === "" ? (
            <Empty
              icon="repeat"
              title="Nobody offers anything yet"
              action={<ButtonLink to="/products">Offer something yourself</ButtonLink>}
            >
              What other companies offer can be subscribed to here.
            </Empty>
          ) : (
            <Empty icon="search" title="Nothing matches">
              Search for a part of the name or description.
            </Empty>
          )
        }
      />
      {taken !== undefined && <SubscribeDialog entry={taken} onClose={() => setTaken(undefined)} />}
    </Card>
  )
}
