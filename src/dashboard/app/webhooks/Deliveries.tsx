import { useState } from "react"
import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useApi, useRows } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { SelectField } from "../ui/Field.tsx"
import { duration, millisOf } from "../ui/Format.ts"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"
import { until } from "./DeliveryStory.ts"
import { RetryFailed } from "./RetryFailed.tsx"
import { now } from "../Platform.ts"

/** How often the list is asked for again, in milliseconds. */
const EACH = 3_000

type Row = RowOf<"GET /v1/webhooks/:id/deliveries">
type Status = Row["status"]
type Shown = Status | "all"

const TABS: ReadonlyArray<readonly [Shown, string]> = [
  ["all", "All"],
  ["delivered", "Delivered"],
  ["pending", "Pending"],
  ["failed", "Failed"],
  ["held", "Held"]
]

/** Where a delivery is shown. */
export const deliveryPath = (row: { readonly id: string; readonly webhook_id: string }): string =>
  `/webhooks/${row.webhook_id}/deliveries/${row.id}`

const lastAnswer = ({ last_error: error, last_status: status }: Row): string =>
  status === null ? (error ?? "Not tried yet") : `Answered ${status}`

const attemptsOf = ({ attempt_count: made, due_at: due, status }: Row): string =>
  status === "pending" && due !== null && made > 0 ? `${made}, next ${until(millisOf(due) - now())}` : String(made)

const COLUMNS: ReadonlyArray<Column<Row>> = [
  {
    title: "Event",
    cell: (row) => (
      <div className="two-lines">
        <Link href={deliveryPath(row)}>{row.event}</Link>
        <span className="soft">{lastAnswer(row)}</span>
      </div>
    )
  },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Attempts", cell: attemptsOf, align: "right", wide: true },
  {
    title: "Took",
    cell: (row) => (row.last_duration_ms === null ? "" : duration(row.last_duration_ms)),
    align: "right",
    wide: true
  },
  { title: "Created", cell: (row) => <When at={row.created_at} as="distance" />, align: "right", wide: true }
]

interface EventFilterProps {
  readonly chosen: Row["event"] | "all"
  readonly onChoose: (event: Row["event"] | "all") => void
}

const EventFilter = ({ chosen, onChoose }: EventFilterProps) => {
  const types = useApi("GET /v1/webhooks/event-types", {})
  const options = (types.data ?? []).map(({ type }) => [type, type] as const)
  return <SelectField label="Event" value={chosen} onChange={onChoose} options={[["all", "All events"], ...options]} />
}

const NONE: Readonly<Record<Shown, string>> = {
  all: "Nothing was sent to this endpoint yet",
  delivered: "Nothing was delivered yet",
  pending: "Nothing waits to be sent",
  failed: "Nothing failed",
  held: "Nothing is held"
}

/** What was sent to an endpoint, the newest first. */
export const Deliveries = ({ webhookId }: { readonly webhookId: string }) => {
  const [shown, setShown] = useState<Shown>("all")
  const [event, setEvent] = useState<Row["event"] | "all">("all")
  const [offset, setOffset] = useState(0)
  const [retrying, setRetrying] = useState(false)
  const query = {
    ...(shown === "all" ? {} : { status: shown }),
    ...(event === "all" ? {} : { event }),
    limit: PAGE_ROWS,
    offset
  }
  const deliveries = useRows("GET /v1/webhooks/:id/deliveries", { params: { id: webhookId }, query }, { every: EACH })
  return (
    <Card
      flush
      title="Deliveries"
      aside={
        <Button size="small" icon="refresh" onClick={() => setRetrying(true)}>
          Retry failed
        </Button>
      }
    >
      <div className="list-filters">
        <Tabs
          label="Deliveries by status"
          tabs={TABS}
          chosen={shown}
          onChoose={(status) => {
            setShown(status)
            setOffset(0)
          }}
        />
        <EventFilter
          chosen={event}
          onChoose={(type) => {
            setEvent(type)
            setOffset(0)
          }}
        />
      </div>
      <List
        label="Deliveries"
        of={deliveries}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        to={deliveryPath}
        page={{ offset, onMove: setOffset }}
        empty={
          <Empty icon="activity" title={NONE[shown]}>
            {shown === "all" && event === "all" && "Send a test event, or place an order: its events appear here."}
          </Empty>
        }
      />
      {retrying && <RetryFailed webhookId={webhookId} onClose={() => setRetrying(false)} />}
    </Card>
  )
}
