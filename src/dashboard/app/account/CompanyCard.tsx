import { useState } from "react"
import type { Answer } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { usePerson, useSession } from "../shell/Session.tsx"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { Loaded, Problem } from "../ui/States.tsx"
import { type CompanyDraft, companyChangeOf, companyDraftOf } from "./PostalDraft.ts"
import { PostalFields } from "./PostalFields.tsx"

type Company = Answer<"GET /v1/companies/:id">

const CompanyForm = ({ company }: { readonly company: Company }) => {
  const [draft, setDraft] = useState(() => companyDraftOf(company))
  const { again } = useSession()
  const set = (name: Exclude<keyof CompanyDraft, "address">) => (value: string) =>
    setDraft((before) => ({ ...before, [name]: value }))
  const save = useAct("PATCH /v1/companies/:id", {
    done: "Saved",
    changes: ["GET /v1/companies/:id"],
    quiet: true,
    onDone: again
  })
  return (
    <Form onSubmit={() => save.mutate({ params: { id: company.id }, payload: companyChangeOf(draft) })}>
      <TextField
        label="Name"
        autoComplete="organization"
        required
        maxLength={200}
        value={draft.name}
        onChange={set("name")}
      />
      <div className="pair">
        <TextField label="Tax id" maxLength={64} value={draft.tax_id} onChange={set("tax_id")} autoComplete="off" />
        <TextField
          label="Country of registration"
          autoComplete="off"
          maxLength={100}
          value={draft.country}
          onChange={set("country")}
        />
      </div>
      <div className="pair">
        <TextField label="Company email" type="email" autoComplete="off" value={draft.email} onChange={set("email")} />
        <TextField
          label="Company phone"
          type="tel"
          autoComplete="off"
          maxLength={32}
          value={draft.phone}
          onChange={set("phone")}
        />
      </div>
      <PostalFields draft={draft.address} onChange={(address) => setDraft((before) => ({ ...before, address }))} />
      <Problem error={save.error} />
      <Actions>
        <Button type="submit" look="main" busy={save.isPending}>
          Save company
        </Button>
      </Actions>
    </Form>
  )
}

/** The company as others see it on orders and invoices, to be changed. */
export const CompanyCard = () => {
  const { company_id: id } = usePerson()
  const company = useApi("GET /v1/companies/:id", { params: { id } })
  return (
    <Card title="Company" aside={company.data !== undefined && <StatusBadge status={company.data.status} />}>
      <Loaded of={company} lines={6}>
        {(found) => <CompanyForm company={found} />}
      </Loaded>
    </Card>
  )
}
