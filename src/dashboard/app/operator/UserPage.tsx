import { useState } from "react"
import { Link, useParams } from "wouter"
import type { Answer, Read } from "../Contract.ts"
import { useAct, useApi, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Columns, Facts } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { amountOf } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded, Problem } from "../ui/States.tsx"
import { List } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { AuditTrail } from "./AuditTrail.tsx"
import { FundingDialog } from "./FundingDialog.tsx"
import { Transition } from "./Transition.tsx"

type Person = Answer<"GET /v1/users/:userId">
type Role = "admin" | "buyer" | "seller"

const CHANGES: ReadonlyArray<Read> = ["GET /v1/users", "GET /v1/users/:userId", "GET /v1/kyc", "GET /v1/audit"]

const ROLES: ReadonlyArray<readonly [Role, string]> = [
  ["buyer", "Buyer"],
  ["seller", "Seller"],
  ["admin", "Administrator"]
]

const roleOf = (person: Person): Role => (person.role === "admin" || person.role === "seller" ? person.role : "buyer")

const RoleDialog = ({ onClose, person }: { readonly person: Person; readonly onClose: () => void }) => {
  const [role, setRole] = useState(() => roleOf(person))
  const set = useAct("PUT /v1/users/:userId/role", {
    done: "The role is set",
    changes: CHANGES,
    quiet: true,
    onDone: onClose
  })
  return (
    <Dialog title={`Role of ${person.contact_name ?? person.id}`} onClose={onClose}>
      <Form onSubmit={() => set.mutate({ params: { userId: person.id }, payload: { role } })}>
        <SelectField
          label="Role"
          hint="Every token and session of the user ends, so the person signs in again."
          value={role}
          options={ROLES}
          onChange={setRole}
        />
        <Problem error={set.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={set.isPending}>
            Set role
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const Acts = ({ person }: { readonly person: Person }) => {
  const { id: ownId } = usePerson()
  const [isSetting, setSetting] = useState(false)
  const given = { params: { userId: person.id } }
  const name = person.contact_name ?? person.id
  if (person.id === ownId || person.role === "service") return null
  return (
    <>
      {person.status === "pending_kyc" && (
        <>
          <Transition
            operation="PUT /v1/users/verify/:userId"
            given={given}
            act="Verify"
            look="main"
            done={`${name} is active`}
            changes={CHANGES}
            question={`Verify ${name}?`}
          >
            There must be a KYC record that was not rejected; one that awaits review is verified as well. It cannot be
            undone.
          </Transition>
          <Transition
            operation="PUT /v1/users/verify/:userId/reject"
            given={given}
            act="Reject"
            look="danger"
            done={`${name} is rejected`}
            changes={CHANGES}
            question={`Reject ${name}?`}
          >
            This is final, and a KYC record that awaits review is rejected as well.
          </Transition>
        </>
      )}
      {person.status === "active" && (
        <Transition
          operation="PUT /v1/users/:userId/suspend"
          given={given}
          act="Suspend"
          look="danger"
          done={`${name} is suspended`}
          changes={CHANGES}
          question={`Suspend ${name}?`}
        >
          Every token, session and stream of the user, and of API clients that the user made, is refused at once.
        </Transition>
      )}
      {person.status === "suspended" && (
        <Transition
          operation="PUT /v1/users/:userId/reactivate"
          given={given}
          act="Reactivate"
          look="main"
          done={`${name} is active again`}
          changes={CHANGES}
          question={`Reactivate ${name}?`}
        >
          The person may sign in again. Sign-ins that ended stay so.
        </Transition>
      )}
      <Button onClick={() => setSetting(true)}>Set role</Button>
      {isSetting && <RoleDialog person={person} onClose={() => setSetting(false)} />}
    </>
  )
}

const Kyc = ({ userId }: { readonly userId: string }) => {
  const records = useRows("GET /v1/kyc", { query: { user_id: userId, limit: 20, offset: 0 } })
  return (
    <Card title="KYC records" flush>
      <List
        label="KYC records of the user"
        of={records}
        keyOf={({ id }) => id}
        to={({ id }) => `/kyc/${encodeURIComponent(id)}`}
        columns={[
          {
            title: "Name",
            cell: ({ fullnames, id }) => <Link href={`/kyc/${encodeURIComponent(id)}`}>{fullnames}</Link>
          },
          { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
          { title: "Submitted", cell: ({ submitted_at }) => <When at={submitted_at} as="distance" />, align: "right" }
        ]}
        empty={<Empty icon="shield" title="Nothing was submitted" />}
      />
    </Card>
  )
}

const AddMoney = ({ onClose, userId }: { readonly userId: string; readonly onClose: () => void }) => {
  const add = useAct("POST /v1/funds", {
    done: "The money is added",
    changes: ["GET /v1/funds", "GET /v1/audit"],
    quiet: true,
    onDone: onClose
  })
  return (
    <FundingDialog
      title="Add money that came from outside"
      act="Add money"
      busy={add.isPending}
      error={add.error}
      onSend={(funding) => add.mutate({ payload: { owner: userId, ...funding } })}
      onClose={onClose}
    />
  )
}

const Funds = ({ userId }: { readonly userId: string }) => {
  const [isAdding, setAdding] = useState(false)
  const funds = useRows("GET /v1/funds", { query: { owner: userId, limit: 20, offset: 0 } })
  return (
    <Card title="Funds" flush aside={<Button onClick={() => setAdding(true)}>Add money</Button>}>
      <List
        label="Funds of the user"
        of={funds}
        keyOf={({ id }) => id}
        columns={[
          { title: "Fund", cell: ({ id }) => <CopyId value={id} /> },
          { title: "Balance", cell: ({ symbol, type }) => amountOf(symbol, type), align: "right" },
          { title: "Held", cell: ({ held, type }) => amountOf(held, type), align: "right" }
        ]}
        empty={<Empty icon="wallet" title="No funds" />}
      />
      {isAdding && <AddMoney userId={userId} onClose={() => setAdding(false)} />}
    </Card>
  )
}

/** One user, as an administrator sees it, and what can be done. */
const UserPage = () => {
  const { id: userId = "" } = useParams()
  const user = useApi("GET /v1/users/:userId", { params: { userId } })
  return (
    <>
      <PageHead
        title={user.data?.contact_name ?? "User"}
        parent={{ to: "/users", title: "Users" }}
        badge={user.data !== undefined && <StatusBadge status={user.data.status} />}
        actions={user.data !== undefined && <Acts person={user.data} />}
      />
      <Loaded of={user} lines={8}>
        {(person) => (
          <>
            <Columns>
              <Card title="Profile">
                <Facts
                  rows={[
                    ["Id", <CopyId value={person.id} />],
                    ["Email", `${person.email ?? "none"}${person.email_verified ? "" : ", not verified"}`],
                    ["Phone", person.cellphone ?? "none"],
                    ["Country", person.country ?? "none"],
                    ["Address", <span className="lines">{person.address ?? "none"}</span>],
                    ["Company", <Link href={`/companies/${person.company_id}`}>{person.company_name}</Link>],
                    ["Role", wordsOf(person.role)],
                    ["Since", <When at={person.created_at} />]
                  ]}
                />
              </Card>
              <Funds userId={person.id} />
            </Columns>
            <Kyc userId={person.id} />
            <AuditTrail subjectId={person.id} />
          </>
        )}
      </Loaded>
    </>
  )
}

export default UserPage
