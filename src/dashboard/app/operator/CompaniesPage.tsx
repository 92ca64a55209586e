import { useState } from "react"
import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { SearchField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"

type Company = RowOf<"GET /v1/companies">

const pathOf = ({ id }: Company): string => `/companies/${encodeURIComponent(id)}`

const COLUMNS: ReadonlyArray<Column<Company>> = [
  { title: "Name", cell: (company) => <Link href={pathOf(company)}>{company.name}</Link> },
  { title: "Country", cell: ({ country }) => country ?? "none", wide: true },
  { title: "Plan", cell: ({ plan }) => wordsOf(plan) },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Since", cell: ({ created_at }) => <When at={created_at} as="distance" />, align: "right", wide: true }
]

/** All companies. */
const CompaniesPage = () => {
  const [q, setQ] = useState("")
  const [offset, setOffset] = useState(0)
  const query = { ...(q === "" ? {} : { q }), limit: PAGE_ROWS, offset }
  const companies = useRows("GET /v1/companies", { query })
  return (
    <>
      <PageHead title="Companies" lead="Who trades here: their plans, what they may do, and their people." />
      <Card flush>
        <div className="list-filters">
          <SearchField
            placeholder="Part of the name"
            value={q}
            onChange={(text) => {
              setQ(text)
              setOffset(0)
            }}
          />
        </div>
        <List
          label="Companies"
          of={companies}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          to={pathOf}
          page={{ offset, onMove: setOffset }}
          empty={<Empty icon="search" title={q === "" ? "No companies yet" : "No name has this part"} />}
        />
      </Card>
    </>
  )
}

export default CompaniesPage
