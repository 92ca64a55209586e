import { useState } from "react"
import { Link } from "wouter"
import { useRows } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { CodeWord } from "../ui/Code.tsx"
import { SearchField, TextField } from "../ui/Field.tsx"
import { duration } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { type Column, List, PAGE_ROWS } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"
import { bytesText, type Filters, queryOf, requestPath, type RequestRow, type Shown, toneOf } from "./RequestReading.ts"

/** How often the newest page is asked for again, in milliseconds. */
const EACH = 3_000

const TABS: ReadonlyArray<readonly [Shown, string]> = [
  ["all", "All"],
  ["refused", "Refused"],
  ["2xx", "2xx"],
  ["4xx", "4xx"],
  ["5xx", "5xx"]
]

const COLUMNS: ReadonlyArray<Column<RequestRow>> = [
  {
    title: "Request",
    cell: (row) => (
      <div className="two-lines">
        <Link href={requestPath(row.id)}>{row.operation === "unmatched" ? row.path : row.operation}</Link>
        <span className="soft">{row.operation === "unmatched" ? "No such operation" : row.path}</span>
      </div>
    )
  },
  {
    title: "Answer",
    cell: ({ code, status }) => (
      <div className="two-lines">
        <Badge tone={toneOf(status)}>{status}</Badge>
        {code !== null && <CodeWord code={code} />}
      </div>
    )
  },
  { title: "Took", cell: ({ duration_ms }) => duration(duration_ms), align: "right" },
  { title: "Answered", cell: ({ response_bytes }) => bytesText(response_bytes), align: "right", wide: true },
  { title: "When", cell: ({ at }) => <When at={at} as="distance" />, align: "right", wide: true }
]

interface FilterProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

const FilterFields = ({ filters, onChange }: FilterProps) => (
  <div className="list-filters">
    <Tabs
      label="Requests by answer"
      tabs={TABS}
      chosen={filters.shown}
      onChoose={(shown) => onChange({ ...filters, shown })}
    />
    <SearchField
      placeholder="Part of the path"
      value={filters.path}
      onChange={(path) => onChange({ ...filters, path })}
    />
    <TextField
      label="Operation"
      placeholder="POST /v1/transfers"
      maxLength={300}
      value={filters.operation}
      onChange={(operation) => onChange({ ...filters, operation })}
    />
    <TextField
      label="Code"
      placeholder="invalid_request"
      maxLength={64}
      value={filters.code}
      onChange={(code) => onChange({ ...filters, code })}
    />
  </div>
)

interface PagesProps {
  /** The ids that the pages before this one began behind. */
  readonly behind: ReadonlyArray<string>
  readonly next: string | undefined
  readonly onMove: (behind: ReadonlyArray<string>) => void
}

const Pages = ({ behind, next, onMove }: PagesProps) =>
  behind.length === 0 && next === undefined ? null : (
    <nav className="pager" aria-label="Pages of the list">
      <Button size="small" disabled={behind.length === 0} onClick={() => onMove(behind.slice(0, -1))}>
        Newer
      </Button>
      <Button
        size="small"
        disabled={next === undefined}
        onClick={() => next !== undefined && onMove([...behind, next])}
      >
        Older
      </Button>
    </nav>
  )

/** What was asked of the platform and how it was answered, the newest first. */
const RequestsPage = () => {
  const [filters, setFilters] = useState<Filters>({ shown: "all", operation: "", path: "", code: "" })
  const [behind, setBehind] = useState<ReadonlyArray<string>>([])
  const after = behind.at(-1)
  const query = { ...queryOf(filters), limit: PAGE_ROWS, ...(after === undefined ? {} : { after }) }
  const requests = useRows("GET /v1/requests", { query }, after === undefined ? { every: EACH } : {})
  const next = requests.data?.next
  return (
    <>
      <PageHead
        title="Requests"
        lead="What was asked in your company's name and how it was answered: changes, and whatever was refused."
      />
      <Card flush>
        <FilterFields
          filters={filters}
          onChange={(changed) => {
            setFilters(changed)
            setBehind([])
          }}
        />
        <List
          label="Requests"
          of={requests}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          to={({ id }) => requestPath(id)}
          empty={
            <Empty
              icon="receipt"
              title={next === undefined ? "No request is like that" : "None of these 20,000 is like that"}
            >
              {next === undefined
                ? "A request is listed a second after its answer, and kept for some days."
                : "Older ones may be: go on with “Older”."}
            </Empty>
          }
        />
        <Pages behind={behind} next={next} onMove={setBehind} />
      </Card>
    </>
  )
}

export default RequestsPage
