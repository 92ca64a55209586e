import { useState } from "react"
import { Link, useParams } from "wouter"
import type { Answer, Read } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Columns, Facts } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Problem } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { AuditTrail } from "./AuditTrail.tsx"
import { Transition } from "./Transition.tsx"
import { UserList } from "./UsersPage.tsx"

type Company = Answer<"GET /v1/companies/:id">
type Plan = Company["plan"]

const CHANGES: ReadonlyArray<Read> = ["GET /v1/companies", "GET /v1/companies/:id", "GET /v1/audit"]

const PLANS: ReadonlyArray<readonly [Plan, string]> = [
  ["standard", "Standard"],
  ["pro", "Pro"],
  ["enterprise", "Enterprise"]
]

const PlanDialog = ({ company, onClose }: { readonly company: Company; readonly onClose: () => void }) => {
  const [plan, setPlan] = useState<Plan>(company.plan)
  const set = useAct("PUT /v1/companies/:id/plan", {
    done: "The plan is set",
    changes: CHANGES,
    quiet: true,
    onDone: onClose
  })
  return (
    <Dialog title={`Plan of ${company.name}`} onClose={onClose}>
      <Form onSubmit={() => set.mutate({ params: { id: company.id }, payload: { plan } })}>
        <SelectField
          label="Plan"
          hint="Its limits hold from the next request on."
          value={plan}
          options={PLANS}
          onChange={setPlan}
        />
        <Problem error={set.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={set.isPending}>
            Set plan
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const Acts = ({ company }: { readonly company: Company }) => {
  const [isSetting, setSetting] = useState(false)
  const params = { id: company.id }
  return (
    <>
      {company.status === "pending" && (
        <Transition
          operation="PUT /v1/companies/:id/verify"
          given={{ params }}
          act="Verify"
          look="main"
          done={`${company.name} is verified`}
          changes={CHANGES}
          question={`Verify ${company.name}?`}
        >
          The company shows as verified to everybody who trades with it. It cannot be undone.
        </Transition>
      )}
      <Button onClick={() => setSetting(true)}>Set plan</Button>
      {company.machine_trader ? (
        <Transition
          operation="PUT /v1/companies/:id/entitlements"
          given={{ params, payload: { machine_trader: false } }}
          act="Withdraw bots"
          look="danger"
          done="The company may have no bots"
          changes={CHANGES}
          question={`Withdraw bots from ${company.name}?`}
        >
          Its active bots are suspended, and it makes and starts no others.
        </Transition>
      ) : (
        <Transition
          operation="PUT /v1/companies/:id/entitlements"
          given={{ params, payload: { machine_trader: true } }}
          act="Give bots back"
          done="The company may have bots"
          changes={CHANGES}
          question={`Give bots back to ${company.name}?`}
        >
          It may make bots as its plan says, and resume those that were suspended.
        </Transition>
      )}
      {isSetting && <PlanDialog company={company} onClose={() => setSetting(false)} />}
    </>
  )
}

const addressOf = ({ address }: Company): string =>
  address === null
    ? "none"
    : Object.values(address)
        .filter((part) => part !== null && part !== "")
        .join("\n")

/** One company, as an administrator sees it, and what can be done. */
const CompanyPage = () => {
  const { id = "" } = useParams()
  const company = useApi("GET /v1/companies/:id", { params: { id } })
  return (
    <>
      <PageHead
        title={company.data?.name ?? "Company"}
        parent={{ to: "/companies", title: "Companies" }}
        badge={company.data !== undefined && <StatusBadge status={company.data.status} />}
        actions={company.data !== undefined && <Acts company={company.data} />}
      />
      <Loaded of={company} lines={8}>
        {(found) => (
          <>
            <Columns>
              <Card title="Company">
                <Facts
                  rows={[
                    ["Id", <CopyId value={found.id} />],
                    ["Tax id", found.tax_id ?? "none"],
                    ["Country", found.country ?? "none"],
                    ["Address", <span className="lines">{addressOf(found)}</span>],
                    ["Email", found.email ?? "none"],
                    ["Phone", found.phone ?? "none"]
                  ]}
                />
              </Card>
              <Card title="What it may do">
                <Facts
                  rows={[
                    ["Plan", wordsOf(found.plan)],
                    ["Bots", found.machine_trader ? "As the plan says" : "None: an administrator withdrew them"],
                    [
                      "Managed by",
                      found.managed_by === null ? (
                        "Nobody"
                      ) : (
                        <Link href={`/companies/${found.managed_by}`}>{found.managed_by}</Link>
                      )
                    ],
                    ["Since", <When at={found.created_at} />],
                    ["Verified", found.verified_at === null ? "Not yet" : <When at={found.verified_at} />]
                  ]}
                />
              </Card>
            </Columns>
            <UserList companyId={found.id} />
            <AuditTrail subjectId={found.id} />
          </>
        )}
      </Loaded>
    </>
  )
}

export default CompanyPage
