import { useState } from "react"
import { Link } from "wouter"
import { useApi } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { count, usd } from "../ui/Format.ts"
import { DownloadButton } from "../ui/DownloadButton.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { PAGE_ROWS, Table } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"
import type { BotCommitment } from "../bots/BotPerformance.ts"
import { ASSET_TYPE_NAMES } from "./ArenaOrder.ts"
import { lossText } from "./Competition.ts"
import { Profit, units } from "./Figures.tsx"
import { quote } from "./Quote.ts"

type Status = "all" | "active" | "won" | "lost" | "settled"

const STATUSES: ReadonlyArray<readonly [Status, string]> = [
  ["all", "All"],
  ["active", "Active"],
  ["won", "Won"],
  ["settled", "Settled"],
  ["lost", "Lost"]
]

/** Commitments, newest first. */
export const CommitmentTable = ({ rows }: { readonly rows: ReadonlyArray<BotCommitment> }) => (
  <Table
    label="Commitments"
    rows={rows}
    keyOf={(row) => row.commitment_id}
    to={(row) => `/arena/orders/${row.order_id}`}
    columns={[
      { title: "Made", cell: (row) => <When at={row.created_at} as="distance" /> },
      {
        title: "Order",
        cell: (row) => <Link href={`/arena/orders/${row.order_id}`}>{ASSET_TYPE_NAMES[row.asset_type]}</Link>
      },
      {
        title: "Status",
        cell: (row) => (
          <span className="row">
            <StatusBadge status={row.status} />
            {row.loss_reason !== null && <span className="soft wide-only">{lossText(row.loss_reason)}</span>}
          </span>
        )
      },
      { title: "Price", align: "right", wide: true, cell: (row) => quote(row.proposed_entry_price) },
      { title: "Quantity", align: "right", wide: true, cell: (row) => units(row.quantity) },
      { title: "Collateral", align: "right", wide: true, cell: (row) => usd(row.collateral) },
      {
        title: "Profit",
        align: "right",
        cell: (row) => <Profit value={row.status === "settled" ? row.profit : undefined} />
      }
    ]}
  />
)

interface MoveProps {
  readonly offset: number
  readonly rows: number
  readonly onMove: (offset: number) => void
}

/** Goes through a list whose length is not told. */
export const Moves = ({ offset, onMove, rows }: MoveProps) =>
  offset === 0 && rows < PAGE_ROWS ? null : (
    <nav className="pager" aria-label="Pages of the list">
      <span>
        {count(offset + 1)}–{count(offset + rows)}
      </span>
      <Button size="small" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - PAGE_ROWS))}>
        Previous
      </Button>
      <Button size="small" disabled={rows < PAGE_ROWS} onClick={() => onMove(offset + PAGE_ROWS)}>
        Next
      </Button>
    </nav>
  )

/** How often the list is asked for again, in milliseconds. */
const EVERY = 4_000

/** One's own commitments. */
const CommitmentsPage = () => {
  const [status, setStatus] = useState<Status>("all")
  const [offset, setOffset] = useState(0)
  const query = { limit: String(PAGE_ROWS), offset: String(offset), ...(status === "all" ? {} : { status }) }
  const found = useApi("GET /api/arena/commitments/my", { query }, { every: EVERY })
  const choose = (next: Status) => {
    setStatus(next)
    setOffset(0)
  }
  return (
    <>
      <PageHead
        title="My commitments"
        lead="What you bid for yourself. What your bots bid is on their own pages."
        actions={
          <DownloadButton
            path={`/api/arena/commitments/my.csv${status === "all" ? "" : `?status=${status}`}`}
            name="commitments.csv"
          >
            Download CSV
          </DownloadButton>
        }
      />
      <Tabs label="Status" tabs={STATUSES} chosen={status} onChoose={choose} />
      <Card flush>
        <Loaded of={found} lines={6}>
          {({ commitments }) =>
            commitments.length === 0 && offset === 0 ? (
              <Empty
                icon="flow"
                title={status === "all" ? "You have not committed to an order yet" : "None of these"}
                action={<ButtonLink to="/arena">See the open orders</ButtonLink>}
              >
                Choose an open order, say what you would pay, and lock 3.81% of its value.
              </Empty>
            ) : (
              <>
                <CommitmentTable rows={commitments} />
                <Moves offset={offset} rows={commitments.length} onMove={setOffset} />
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  )
}

export default CommitmentsPage
