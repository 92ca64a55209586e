import { useState } from "react"
import { Link, useParams } from "wouter"
import type { Answer, Read } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Columns, Facts } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextArea } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Problem } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { AuditTrail } from "./AuditTrail.tsx"
import { Transition } from "./Transition.tsx"

type KycRecord = Answer<"GET /v1/kyc/:id">

const CHANGES: ReadonlyArray<Read> = [
  "GET /v1/kyc",
  "GET /v1/kyc/:id",
  "GET /v1/users",
  "GET /v1/users/:userId",
  "GET /v1/audit"
]

const RejectDialog = ({ onClose, record }: { readonly record: KycRecord; readonly onClose: () => void }) => {
  const [reason, setReason] = useState("")
  const reject = useAct("PUT /v1/kyc/:id/reject", {
    done: "The record is rejected",
    changes: CHANGES,
    quiet: true,
    onDone: onClose
  })
  return (
    <Dialog title={`Reject what ${record.fullnames} submitted?`} onClose={onClose}>
      <Form onSubmit={() => reject.mutate({ params: { id: record.id }, payload: { reason } })}>
        <TextArea
          label="Reason"
          hint="The person reads it, and may submit another record."
          required
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        <Problem error={reject.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={reject.isPending}>
            Reject record
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const Decisions = ({ record }: { readonly record: KycRecord }) => {
  const [isRejecting, setRejecting] = useState(false)
  if (record.status !== "pending") return null
  return (
    <>
      <Transition
        operation="PUT /v1/kyc/:id/verify"
        given={{ params: { id: record.id } }}
        act="Verify"
        look="main"
        done="The record is verified"
        changes={CHANGES}
        question={`Verify ${record.fullnames}?`}
      >
        A user who waits for this becomes active at once, and may trade and move money. It cannot be undone.
      </Transition>
      <Button look="danger" onClick={() => setRejecting(true)}>
        Reject
      </Button>
      {isRejecting && <RejectDialog record={record} onClose={() => setRejecting(false)} />}
    </>
  )
}

const Submitted = ({ record }: { readonly record: KycRecord }) => (
  <Card title="What was submitted" aside={<StatusBadge status={record.status} />}>
    <Facts
      rows={[
        ["Full names", record.fullnames],
        ["Document number", record.identityId],
        ["Address", <span className="lines">{record.address}</span>],
        ["Country", record.country],
        ["Phone", record.phoneNumber],
        ["Email", record.email],
        ["Submitted", <When at={record.submitted_at} />],
        ...(record.reviewed_at === null ? [] : [["Decided", <When at={record.reviewed_at} />] as const]),
        ...(record.reason === null ? [] : [["Reason", record.reason] as const])
      ]}
    />
  </Card>
)

/** Whose record it is, as the account says it: what was submitted is compared with it. */
const Account = ({ userId }: { readonly userId: string }) => {
  const user = useApi("GET /v1/users/:userId", { params: { userId } })
  return (
    <Card title="The account">
      <Loaded of={user} lines={6}>
        {(person) => (
          <Facts
            rows={[
              ["Name", <Link href={`/users/${person.id}`}>{person.contact_name ?? person.email ?? person.id}</Link>],
              ["Email", `${person.email ?? "none"}${person.email_verified ? "" : ", not verified"}`],
              ["Phone", person.cellphone ?? "none"],
              ["Country", person.country ?? "none"],
              ["Address", <span className="lines">{person.address ?? "none"}</span>],
              ["Company", <Link href={`/companies/${person.company_id}`}>{person.company_name}</Link>],
              ["Status", <StatusBadge status={person.status} />],
              ["Since", <When at={person.created_at} />]
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

/** One KYC record beside the account that it is for, and the decision. */
const KycReviewPage = () => {
  const { id = "" } = useParams()
  const record = useApi("GET /v1/kyc/:id", { params: { id } })
  return (
    <>
      <PageHead
        title={record.data?.fullnames ?? "KYC record"}
        parent={{ to: "/kyc", title: "KYC review" }}
        actions={record.data !== undefined && <Decisions record={record.data} />}
      />
      <Loaded of={record} lines={8}>
        {(found) => (
          <>
            <Columns>
              <Submitted record={found} />
              <Account userId={found.user_id} />
            </Columns>
            <AuditTrail subjectId={found.id} />
          </>
        )}
      </Loaded>
    </>
  )
}

export default KycReviewPage
