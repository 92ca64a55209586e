import type { ReactNode } from "react"
import { Link } from "wouter"
import { allowanceNow } from "../ApiCalls.ts"
import { useApi, useRows } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Badge, StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Card, Columns, Facts } from "../ui/Card.tsx"
import { count } from "../ui/Format.ts"
import { Meter } from "../ui/Meter.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Loaded, Notice } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { useNow, When } from "../ui/Time.tsx"
import { DeliveryQuota } from "../webhooks/DeliveryQuota.tsx"
import { LIMITS } from "./PlanLimits.ts"
import type { PlanLimits, PlanName } from "./PlanLimits.ts"

/** Bots that still count: a terminated one makes room. */
const counted = (bots: ReadonlyArray<{ readonly status: string }>): number =>
  bots.filter(({ status }) => status !== "terminated").length

const Requests = () => {
  const time = useNow()
  const allowance = allowanceNow()
  if (allowance === undefined) return null
  const isOver = allowance.reset * 1000 <= time
  const used = isOver ? 0 : allowance.limit - allowance.remaining
  return (
    <Meter
      label="Requests this minute"
      value={used}
      max={allowance.limit}
      text={`${count(used)} of ${count(allowance.limit)}`}
    />
  )
}

const Bots = ({ most }: { readonly most: number }) => {
  const bots = useApi("GET /api/arena/machine-traders", {})
  return (
    <Loaded of={bots} lines={1}>
      {({ bots: all }) =>
        most === 0 ? (
          <Meter label="Bots" value={0} max={1} text="Not in this plan" />
        ) : (
          <Meter label="Bots" value={counted(all)} max={most} text={`${count(counted(all))} of ${count(most)}`} />
        )
      }
    </Loaded>
  )
}

const Credits = () => {
  const credits = useApi("GET /api/arena/machine-traders/credits/balance", {})
  return (
    <Loaded of={credits} lines={1}>
      {({ balance, monthly_grant: grant }) => (
        <>
          <Meter
            label="Free credits left this month"
            value={grant - balance.free_balance}
            max={Math.max(1, grant)}
            text={grant === 0 ? "Not in this plan" : `${count(balance.free_balance)} of ${count(grant)}`}
          />
          <Facts
            rows={[
              ["Paid credits", count(balance.paid_balance)],
              ["Free ones lapse", <When key="lapse" at={balance.period_end} as="distance" />]
            ]}
          />
        </>
      )}
    </Loaded>
  )
}

interface Comparison {
  readonly name: string
  readonly of: (limits: PlanLimits) => ReactNode
}

const unlimited = (limit: number | undefined): string => (limit === undefined ? "Unlimited" : count(limit))

const COMPARED: ReadonlyArray<Comparison> = [
  { name: "Requests a minute", of: ({ requests }) => count(requests) },
  { name: "Webhook deliveries a day", of: ({ deliveries }) => unlimited(deliveries) },
  { name: "Bots", of: ({ bots }) => (bots === 0 ? "None" : count(bots)) },
  { name: "Free credits a month", of: ({ credits }) => (credits === 0 ? "None" : count(credits)) },
  { name: "Trading by machines", of: ({ bots }) => (bots === 0 ? "No" : "Yes") }
]

const Plans = ({ plan }: { readonly plan: PlanName }) => (
  <Card title="Plans" flush>
    <Table
      label="What the plans hold"
      rows={COMPARED}
      keyOf={({ name }) => name}
      columns={[
        { title: "Limit", cell: ({ name }) => name },
        ...LIMITS.map((limits) => ({
          title: limits.name === plan ? `${wordsOf(limits.name)} (yours)` : wordsOf(limits.name),
          align: "right" as const,
          cell: ({ of }: Comparison) => (limits.name === plan ? <strong>{of(limits)}</strong> : of(limits))
        }))
      ]}
    />
  </Card>
)

/** The company's plan, what of it is used, and what the others hold. */
const PlanPage = () => {
  const { company_id: id, role } = usePerson()
  const company = useApi("GET /v1/companies/:id", { params: { id } })
  const clients = useRows("GET /v1/clients", { query: { limit: 1 } })
  return (
    <>
      <PageHead title="Plan and limits" lead="What your company may use, and how much of it is used now." />
      <Loaded of={company} lines={8}>
        {({ plan, status }) => (
          <>
            <Columns>
              <Card title="Used now" aside={<Badge tone="live">{wordsOf(plan)}</Badge>}>
                <div className="stack">
                  <Requests />
                  <DeliveryQuota />
                  <Bots most={LIMITS.find(({ name }) => name === plan)?.bots ?? 0} />
                  <Meter
                    label="API clients"
                    value={clients.data?.total ?? 0}
                    max={100}
                    text={`${count(clients.data?.total ?? 0)} of 100`}
                  />
                </div>
              </Card>
              <Card title="Credits for evaluations">
                <div className="stack">
                  <Credits />
                </div>
              </Card>
              <Card title="Company">
                <Facts
                  rows={[
                    ["Verification", <StatusBadge key="status" status={status} />],
                    ["Your role", wordsOf(role)],
                    [
                      "Usage",
                      <ButtonLink key="usage" to="/usage" size="small">
                        See requests by day
                      </ButtonLink>
                    ]
                  ]}
                />
              </Card>
            </Columns>
            <Plans plan={plan} />
            <Notice title="A plan is changed by the operator">
              Ask them to move your company to another one. Limits follow from the next request on. What your company
              buys each month is under <Link href="/subscriptions">Subscriptions</Link>.
            </Notice>
          </>
        )}
      </Loaded>
    </>
  )
}

export default PlanPage
