import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { Card } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { changesOf } from "./AuditEntryText.ts"

type AuditEntry = RowOf<"GET /v1/audit">

const Changes = ({ after, before }: AuditEntry) => (
  <span className="lines">{changesOf(before, after).join("\n") || "—"}</span>
)

const COLUMNS: ReadonlyArray<Column<AuditEntry>> = [
  { title: "When", cell: ({ at }) => <When at={at} /> },
  { title: "Act", cell: ({ act }) => <code>{act}</code> },
  { title: "What changed", cell: (entry) => <Changes {...entry} />, wide: true },
  { title: "By", cell: ({ actor_id }) => <CopyId value={actor_id} /> }
]

const SUBJECT: Column<AuditEntry> = { title: "Of", cell: ({ subject_id }) => <CopyId value={subject_id} /> }

interface AuditEntriesProps {
  readonly label: string
  readonly query: { readonly subject_id?: string; readonly actor_id?: string; readonly act?: string }
  readonly withSubject?: boolean
  readonly none: string
}

/** Entries of the audit log, newest first. */
export const AuditEntries = ({ label, none, query, withSubject = false }: AuditEntriesProps) => {
  const [offset, setOffset] = useState(0)
  const entries = useRows("GET /v1/audit", { query: { ...query, limit: PAGE_ROWS, offset } })
  return (
    <List
      label={label}
      of={entries}
      columns={withSubject ? COLUMNS.toSpliced(2, 0, SUBJECT) : COLUMNS}
      keyOf={({ id }) => String(id)}
      page={{ offset, onMove: setOffset }}
      empty={<Empty icon="receipt" title={none} />}
    />
  )
}

/** What administrators did to one thing. */
export const AuditTrail = ({ subjectId }: { readonly subjectId: string }) => (
  <Card title="What administrators did" flush>
    <AuditEntries
      label="Acts of administrators"
      query={{ subject_id: subjectId }}
      none="No administrator has changed anything here"
    />
  </Card>
)
