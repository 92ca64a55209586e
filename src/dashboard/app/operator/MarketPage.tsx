import { useState } from "react"
import type { Answer, Read } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { Badge, type Tone, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { amountOf } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded, Notice } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { FundingDialog } from "./FundingDialog.tsx"
import { Transition } from "./Transition.tsx"

/** How often breakers are asked for again, in milliseconds. */
const EVERY = 5_000

type Breakers = Answer<"GET /v1/breakers">
type Breaker = Breakers["breakers"][number]
type Holding = Answer<"GET /v1/fx/desk">[number]

const LOOKS: Readonly<Record<Breaker["status"], readonly [Tone, string]>> = {
  closed: ["good", "Trading"],
  half_open: ["wait", "On trial"],
  open: ["bad", "Halted"]
}

const Status = ({ status }: Pick<Breaker, "status">) => {
  const [tone, words] = LOOKS[status]
  return <Badge tone={tone}>{words}</Badge>
}

const scopeOf = (scope: Breaker["scope"]): string => (scope === "global" ? "All" : wordsOf(scope))

const BREAKERS: ReadonlyArray<Column<Breaker>> = [
  { title: "Market", cell: ({ scope }) => <strong>{scopeOf(scope)}</strong> },
  { title: "State", cell: ({ status }) => <Status status={status} /> },
  {
    title: "Since",
    cell: ({ since }) => (since === null ? "the start" : <When at={since} as="distance" />),
    align: "right"
  }
]

const TRANSITIONS: ReadonlyArray<Column<Breakers["transitions"][number]>> = [
  { title: "When", cell: ({ at }) => <When at={at} /> },
  { title: "Market", cell: ({ scope }) => scopeOf(scope) },
  { title: "Became", cell: ({ status }) => <Status status={status} /> },
  { title: "Why", cell: ({ reason }) => wordsOf(reason) }
]

const CHANGES: ReadonlyArray<Read> = ["GET /v1/breakers", "GET /v1/audit"]

const Latched = () => (
  <Notice
    tone="bad"
    title="The ledger did not add up, so nothing trades and no money leaves"
    action={
      <Transition
        operation="POST /v1/breakers/reset"
        given={{}}
        act="Let trading go on"
        look="danger"
        done="Trading goes on, on trial"
        changes={CHANGES}
        question="Let trading go on?"
      >
        Find the cause first: emporion verify and emporion reconcile say what does not fit. If the ledger still does not
        add up, the breaker opens again.
      </Transition>
    }
  >
    Everything else closes by itself. This waits for an administrator.
  </Notice>
)

const BreakerCards = () => {
  const breakers = useApi("GET /v1/breakers", {}, { every: EVERY })
  return (
    <Loaded of={breakers} lines={6}>
      {({ breakers: all, transitions }) => (
        <>
          {all.some(({ latched }) => latched) && <Latched />}
          <Card title="Circuit breakers" flush>
            <Table label="Circuit breakers" columns={BREAKERS} rows={all} keyOf={({ scope }) => scope} />
          </Card>
          <Card title="What they did" flush>
            {transitions.length === 0 ? (
              <Empty icon="shield" title="No breaker has opened yet" />
            ) : (
              <Table
                label="What the breakers did"
                columns={TRANSITIONS}
                rows={transitions}
                keyOf={({ at, scope, status }) => `${at} ${scope} ${status}`}
              />
            )}
          </Card>
        </>
      )}
    </Loaded>
  )
}

const FundDesk = ({ onClose }: { readonly onClose: () => void }) => {
  const fund = useAct("POST /v1/fx/desk", {
    done: "The desk is funded",
    changes: ["GET /v1/fx/desk", "GET /v1/audit"],
    quiet: true,
    onDone: onClose
  })
  return (
    <FundingDialog
      title="Fund the exchange desk"
      act="Fund desk"
      busy={fund.isPending}
      error={fund.error}
      onSend={(payload) => fund.mutate({ payload })}
      onClose={onClose}
    />
  )
}

const HOLDINGS: ReadonlyArray<Column<Holding>> = [
  { title: "Currency", cell: ({ type }) => <strong>{type}</strong> },
  { title: "Can pay out", cell: ({ symbol, type }) => amountOf(symbol, type), align: "right" }
]

const Desk = () => {
  const desk = useApi("GET /v1/fx/desk", {})
  const [isFunding, setFunding] = useState(false)
  return (
    <Card title="Exchange desk" flush aside={<Button onClick={() => setFunding(true)}>Fund desk</Button>}>
      <Loaded of={desk}>
        {(holdings) =>
          holdings.length === 0 ? (
            <Empty icon="wallet" title="The desk has nothing to pay out">
              Transfers between currencies are refused until it has.
            </Empty>
          ) : (
            <Table label="What the desk can pay out" columns={HOLDINGS} rows={holdings} keyOf={({ type }) => type} />
          )
        }
      </Loaded>
      {isFunding && <FundDesk onClose={() => setFunding(false)} />}
    </Card>
  )
}

/** What may stop trading, and the capital of the exchange desk. */
const MarketPage = () => (
  <>
    <PageHead title="Market" lead="Whether trading goes on, what stopped it, and what the exchange desk can pay out." />
    <BreakerCards />
    <Desk />
  </>
)

export default MarketPage
