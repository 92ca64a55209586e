import { useState } from "react"
import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"

type KycRecord = RowOf<"GET /v1/kyc">
type Status = KycRecord["status"]

const pathOf = ({ id }: KycRecord): string => `/kyc/${encodeURIComponent(id)}`

const COLUMNS: ReadonlyArray<Column<KycRecord>> = [
  { title: "Name", cell: (record) => <Link href={pathOf(record)}>{record.fullnames}</Link> },
  { title: "Country", cell: ({ country }) => country, wide: true },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Submitted", cell: ({ submitted_at }) => <When at={submitted_at} as="distance" />, align: "right" }
]

const NONE: Readonly<Record<Status, string>> = {
  pending: "Nothing awaits review",
  verified: "No record is verified yet",
  rejected: "No record was rejected"
}

const Records = ({ status }: { readonly status: Status }) => {
  const [offset, setOffset] = useState(0)
  const records = useRows("GET /v1/kyc", { query: { status, limit: PAGE_ROWS, offset } }, { every: 15_000 })
  return (
    <Card flush>
      <List
        label="KYC records"
        of={records}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        to={pathOf}
        page={{ offset, onMove: setOffset }}
        empty={<Empty icon="shield" title={NONE[status]} />}
      />
    </Card>
  )
}

/** Who submitted what for KYC, those first who wait longest. */
const KycReviewsPage = () => {
  const [status, setStatus] = useState<Status>("pending")
  return (
    <>
      <PageHead title="KYC review" lead="Who users say they are. Those who wait longest stand first." />
      <Tabs
        label="Status of the records"
        tabs={[
          ["pending", "To be reviewed"],
          ["verified", "Verified"],
          ["rejected", "Rejected"]
        ]}
        chosen={status}
        onChoose={setStatus}
      />
      <Records key={status} status={status} />
    </>
  )
}

export default KycReviewsPage
