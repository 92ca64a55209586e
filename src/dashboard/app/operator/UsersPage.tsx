import { useState } from "react"
import { Link } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useRows } from "../Data.ts"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { SelectField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"

type Person = RowOf<"GET /v1/users">
type Status = Person["status"]

const STATUSES: ReadonlyArray<readonly [Status | "all", string]> = [
  ["all", "All"],
  ["pending_kyc", "Pending KYC"],
  ["active", "Active"],
  ["suspended", "Suspended"],
  ["rejected", "Rejected"]
]

const pathOf = ({ id }: Person): string => `/users/${encodeURIComponent(id)}`

const COLUMNS: ReadonlyArray<Column<Person>> = [
  {
    title: "Name",
    cell: (person) => <Link href={pathOf(person)}>{person.contact_name ?? person.email ?? person.id}</Link>
  },
  { title: "Email", cell: ({ email }) => email ?? "none", wide: true },
  { title: "Company", cell: ({ company_name }) => company_name, wide: true },
  { title: "Role", cell: ({ role }) => wordsOf(role) },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Since", cell: ({ created_at }) => <When at={created_at} as="distance" />, align: "right", wide: true }
]

/** Users, of one company or of all. */
export const UserList = ({ companyId }: { readonly companyId?: string }) => {
  const [status, setStatus] = useState<Status | "all">("all")
  const [offset, setOffset] = useState(0)
  const query = {
    ...(companyId === undefined ? {} : { company_id: companyId }),
    ...(status === "all" ? {} : { status }),
    limit: PAGE_ROWS,
    offset
  }
  const users = useRows("GET /v1/users", { query })
  return (
    <Card flush {...(companyId === undefined ? {} : { title: "Users" })}>
      <div className="list-filters">
        <SelectField
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(chosen) => {
            setStatus(chosen)
            setOffset(0)
          }}
        />
      </div>
      <List
        label="Users"
        of={users}
        columns={companyId === undefined ? COLUMNS : COLUMNS.filter(({ title }) => title !== "Company")}
        keyOf={({ id }) => id}
        to={pathOf}
        page={{ offset, onMove: setOffset }}
        empty={<Empty icon="user" title={status === "all" ? "No users yet" : "None has this status"} />}
      />
    </Card>
  )
}

/** Everybody who signs in. */
const UsersPage = () => (
  <>
    <PageHead title="Users" lead="The people of all companies, oldest first." />
    <UserList />
  </>
)

export default UsersPage
