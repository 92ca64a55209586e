import { useMemo, useState } from "react"
import type { Answer } from "../Contract.ts"
import { useApi } from "../Data.ts"
import { now } from "../Platform.ts"
import { wordsOf } from "../ui/Badge.tsx"
import { Card, Columns, Stat, Stats } from "../ui/Card.tsx"
import { Chart } from "../ui/Chart.tsx"
import { count, duration, percent, usd, utcDay } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"

type Usage = Answer<"GET /v1/analytics/usage">
type Totals = Usage["totals"]

const DAY = 86_400_000

const SPANS = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"]
] as const

type Span = (typeof SPANS)[number][0]

const isoDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const shareOf = (part: number, whole: number): string => (whole === 0 ? "none" : percent(part / whole))

const Figures = ({ totals }: { readonly totals: Totals }) => (
  <Stats>
    <Stat label="Requests" value={count(totals.requests)} />
    <Stat
      label="Refused"
      value={count(totals.client_errors)}
      note={`${shareOf(totals.client_errors, totals.requests)} answered 4xx`}
    />
    <Stat
      label="Failed"
      value={count(totals.server_errors)}
      note={`${shareOf(totals.server_errors, totals.requests)} answered 5xx`}
    />
    <Stat
      label="Answer time, p95"
      value={totals.latency_ms === null ? "None" : duration(totals.latency_ms.p95)}
      note={totals.latency_ms === null ? undefined : `half within ${duration(totals.latency_ms.p50)}`}
    />
    <Stat
      label="Credits used"
      value={count(totals.credits.used)}
      note={`${count(totals.credits.granted + totals.credits.purchased)} granted or bought`}
    />
  </Stats>
)

const Endpoints = ({ totals }: { readonly totals: Totals }) => (
  <Card title="Endpoints" flush>
    {totals.endpoints.length === 0 ? (
      <Empty icon="chart" title="No requests in these days">
        Requests appear here within seconds of being answered.
      </Empty>
    ) : (
      <Table
        label="Requests by endpoint"
        rows={totals.endpoints.toSorted((one, other) => other.requests - one.requests)}
        keyOf={({ endpoint }) => endpoint}
        columns={[
          { title: "Endpoint", cell: ({ endpoint }) => <code>{endpoint}</code> },
          { title: "Requests", align: "right", cell: ({ requests }) => count(requests) },
          { title: "4xx", align: "right", wide: true, cell: (row) => count(row.client_errors) },
          { title: "5xx", align: "right", wide: true, cell: (row) => count(row.server_errors) },
          {
            title: "p95",
            align: "right",
            cell: ({ latency_ms }) => (latency_ms === null ? "" : duration(latency_ms.p95))
          }
        ]}
      />
    )}
  </Card>
)

const Activities = ({ totals }: { readonly totals: Totals }) => (
  <Card title="What came of it" flush>
    {totals.activities.length === 0 ? (
      <Empty icon="activity" title="Nothing was done in these days">
        Orders, payments, transfers and commitments are counted here.
      </Empty>
    ) : (
      <Table
        label="Activities"
        rows={totals.activities}
        keyOf={({ activity }) => activity}
        columns={[
          { title: "Activity", cell: ({ activity }) => wordsOf(activity) },
          { title: "Count", align: "right", cell: (row) => count(row.count) },
          {
            title: "Volume",
            align: "right",
            cell: ({ volume_usd }) => (Number(volume_usd) === 0 ? "" : usd(volume_usd))
          }
        ]}
      />
    )}
  </Card>
)

const Seen = ({ usage }: { readonly usage: Usage }) => {
  const points = useMemo(
    () => usage.days.map(({ date, requests }) => ({ time: Date.parse(date), value: requests })),
    [usage]
  )
  const span = `${utcDay(usage.from)} to ${utcDay(usage.to)}`
  return (
    <>
      <Figures totals={usage.totals} />
      <Card title="Requests a day" aside={<span className="soft">{span}, days in UTC</span>}>
        <Chart
          label={`Requests a day, ${span}`}
          lines={[{ name: "Requests", points, as: "bars" }]}
          format={count}
          height={220}
          days
        />
      </Card>
      <Columns>
        <Endpoints totals={usage.totals} />
        <Activities totals={usage.totals} />
      </Columns>
    </>
  )
}

/** What the company asked of the platform, day by day. */
const UsagePage = () => {
  const [span, setSpan] = useState<Span>("30")
  const to = isoDay(now())
  const from = isoDay(now() - (Number(span) - 1) * DAY)
  const usage = useApi("GET /v1/analytics/usage", { query: { from, to } }, { every: 30_000 })
  return (
    <>
      <PageHead
        title="Usage"
        lead="Requests of your company, how they were answered and how fast, and what came of them."
        actions={<Tabs label="Days" tabs={SPANS} chosen={span} onChoose={setSpan} />}
      />
      <Loaded of={usage} lines={8}>
        {(data) => <Seen usage={data} />}
      </Loaded>
    </>
  )
}

export default UsagePage
