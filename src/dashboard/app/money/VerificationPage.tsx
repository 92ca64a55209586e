import { useState } from "react"
import type { RowOf } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Facts } from "../ui/Card.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Notice, Problem } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"

type KycRecord = RowOf<"GET /v1/kyc">

/** How often the review's outcome is asked for, in milliseconds. */
const EACH = 10_000

const Submit = () => {
  const person = usePerson()
  const [fields, setFields] = useState({
    fullnames: person.contact_name ?? "",
    address: "",
    phoneNumber: person.phone ?? "",
    country: "",
    email: person.email ?? "",
    identityId: ""
  })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const submit = useAct("POST /v1/kyc", { done: "Submitted", quiet: true, changes: ["GET /v1/kyc"] })
  const field = (name: keyof typeof fields, label: string, maxLength: number, hint?: string) => (
    <TextField
      label={label}
      required
      maxLength={maxLength}
      value={fields[name]}
      onChange={(text) => set({ [name]: text })}
      {...(hint === undefined ? {} : { hint })}
    />
  )
  return (
    <Card title="Who you are">
      <Form onSubmit={() => submit.mutate({ payload: fields })}>
        {field("fullnames", "Full name", 200, "As it stands in your passport or identity card.")}
        {field("address", "Address", 500)}
        <div className="pair">
          {field("country", "Country", 2, "Two letters, such as BE.")}
          {field("phoneNumber", "Phone", 40, "With its country code, such as +32 470 12 34 56.")}
        </div>
        <div className="pair">
          {field("email", "Email", 254)}
          {field("identityId", "Passport or identity card number", 64, "It is kept encrypted.")}
        </div>
        <Problem error={submit.error} />
        <Actions>
          <Button look="main" type="submit" busy={submit.isPending}>
            Submit for review
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

const Record = ({ record }: { readonly record: KycRecord }) => (
  <Card title="Your record" aside={<StatusBadge status={record.status} />}>
    <Facts
      rows={[
        ["Name", record.fullnames],
        ["Address", record.address],
        ["Country", record.country],
        ["Submitted", <When key="submitted" at={record.submitted_at} />],
        ...(record.reviewed_at === null ? [] : [["Reviewed", <When key="reviewed" at={record.reviewed_at} />] as const])
      ]}
    />
  </Card>
)

const NOTICES: Readonly<Record<KycRecord["status"], string>> = {
  pending: "Your record awaits an administrator's review",
  verified: "You are verified",
  rejected: "Your record was rejected"
}

const Reviewed = ({ record }: { readonly record: KycRecord }) => (
  <>
    <Notice
      tone={record.status === "rejected" ? "bad" : record.status === "pending" ? "wait" : "info"}
      title={NOTICES[record.status]}
    >
      {record.reason}
    </Notice>
    <Record record={record} />
    {record.status === "rejected" && <Submit />}
  </>
)

/** The person's KYC record: submitted once, reviewed by an administrator. Specification 2.12. */
const VerificationPage = () => {
  const { id, role } = usePerson()
  const query = role === "admin" ? { user_id: id } : {}
  const records = useRows("GET /v1/kyc", { query }, { every: EACH })
  return (
    <>
      <PageHead
        title="Verification"
        lead="Transfers, withdrawals and buying on credit need to know who you are. An administrator reviews it once."
      />
      <Loaded of={records} lines={6}>
        {({ rows }) => {
          const last = rows.at(-1)
          return last === undefined ? <Submit /> : <Reviewed record={last} />
        }}
      </Loaded>
    </>
  )
}

export default VerificationPage
