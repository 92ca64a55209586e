import { useState } from "react"
import { useApi } from "../Data.ts"
import { wordsOf } from "../ui/Badge.tsx"
import { count, usd } from "../ui/Format.ts"
import { Meter } from "../ui/Meter.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { PAGE_ROWS, Pager, Table } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"

const signed = (credits: number): string =>
  credits > 0 ? `+${count(credits)}` : credits < 0 ? `−${count(-credits)}` : "0"

/** The credits that a bot used and that were bought for it, newest first. */
export const Credits = ({ botId }: { readonly botId: string }) => {
  const [offset, setOffset] = useState(0)
  const params = { bot_id: botId }
  const stats = useApi("GET /api/arena/machine-traders/:bot_id/stats", { params })
  const query = { limit: String(PAGE_ROWS), offset: String(offset) }
  const used = useApi("GET /api/arena/machine-traders/:bot_id/usage", { params, query })
  return (
    <>
      {stats.data !== undefined && (
        <div className="competition-head">
          <Meter
            label="Credits this month"
            value={stats.data.stats.credit_budget - stats.data.stats.budget_remaining}
            max={stats.data.stats.credit_budget}
            text={`${count(stats.data.stats.this_period.credits_used)} of ${count(stats.data.stats.credit_budget)}`}
          />
        </div>
      )}
      <Loaded of={used} lines={5}>
        {({ entries, total }) =>
          entries.length === 0 ? (
            <Empty icon="gauge" title="No credits used yet">
              Each evaluation of an order takes one credit, $0.01.
            </Empty>
          ) : (
            <>
              <Table
                label="Credits"
                rows={entries}
                keyOf={(entry) => String(entry.seq)}
                columns={[
                  { title: "When", cell: (entry) => <When at={entry.at} as="distance" /> },
                  { title: "What", cell: (entry) => (entry.kind === "charge" ? "Evaluation" : wordsOf(entry.kind)) },
                  { title: "Free", align: "right", cell: (entry) => signed(entry.free) },
                  { title: "Bought", align: "right", cell: (entry) => signed(entry.paid) },
                  {
                    title: "Paid",
                    align: "right",
                    wide: true,
                    cell: (entry) => (entry.usd === 0 ? "–" : usd(entry.usd))
                  }
                ]}
              />
              <Pager total={total} offset={offset} onMove={setOffset} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
