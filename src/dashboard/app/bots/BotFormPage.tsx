import { useState } from "react"
import { useLocation } from "wouter"
import { LIMITS } from "../account/PlanLimits.ts"
import { useAct, useApi } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card, Columns } from "../ui/Card.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Problem } from "../ui/States.tsx"
import { type Step, Steps } from "../ui/Steps.tsx"
import { type BotDraft, changeOf, NEW_BOT } from "./BotDraft.ts"
import { botNeeds } from "./BotNeeds.ts"
import { CapabilityFields, CreditFields, StrategyFields } from "./StrategyFields.tsx"

/** Funds and bots that are looked at: more than there are kinds of money, and than any plan allows. */
const MOST = "100"

type Creation = ReturnType<typeof creationOf>

const creationOf = (draft: BotDraft) => ({ ...changeOf(draft), collateral_amount: Number(draft.funding) })

const idOf = (answer: object): string | undefined => {
  const { bot } = answer as { readonly bot?: { readonly bot_id: string } }
  return bot?.bot_id
}

/** What a new bot needs, as far as it is known yet. */
const useNeeds = (): ReadonlyArray<Step> | undefined => {
  const { company_id: id, wallet_address: wallet } = usePerson()
  const { data: company } = useApi("GET /v1/companies/:id", { params: { id } })
  const { data: bots } = useApi("GET /api/arena/machine-traders", { query: { limit: MOST } })
  const { data: funds } = useApi("GET /v1/funds", { query: { limit: MOST } })
  if (company === undefined || bots === undefined || funds === undefined) return undefined
  return botNeeds({
    company,
    most: LIMITS.find(({ name }) => name === company.plan)?.bots ?? 0,
    living: bots.bots.filter(({ status }) => status !== "terminated").length,
    wallet,
    free: funds.reduce((sum, { available, type }) => (type === "USD" ? sum + Number(available) : sum), 0)
  })
}

interface MeansProps {
  readonly draft: BotDraft
  readonly onChange: (part: Partial<BotDraft>) => void
}

const Means = ({ draft, onChange }: MeansProps) => (
  <Card title="What it may use">
    <div className="stack">
      <TextField
        label="Collateral, USD"
        hint="Moves from your account to the bot. You can take back what is free at any time."
        value={draft.funding}
        onChange={(funding) => onChange({ funding })}
        inputMode="decimal"
        required
      />
      <CreditFields draft={draft} onChange={onChange} />
    </div>
  </Card>
)

/** Makes a bot. */
const BotFormPage = () => {
  const needs = useNeeds()
  const isReady = needs?.every(({ done }) => done) ?? true
  const [draft, setDraft] = useState(NEW_BOT)
  const [, go] = useLocation()
  const change = (part: Partial<BotDraft>) => setDraft((before) => ({ ...before, ...part }))
  const make = useAct("POST /api/arena/machine-traders", {
    done: "Bot created. Start it when you are ready.",
    changes: ["GET /api/arena/machine-traders"],
    onDone: (answer) => go(`/bots/${idOf(answer) ?? ""}`),
    quiet: true
  })
  const payload: Creation = creationOf(draft)
  return (
    <>
      <PageHead
        title="New bot"
        parent={{ to: "/bots", title: "Bots" }}
        lead="A bot decides about each new order by its strategy and commits with its own collateral. It can lose no more than you allow."
      />
      {needs !== undefined && !isReady && (
        <Card title="What a bot needs first">
          <Steps steps={needs} />
        </Card>
      )}
      <Form onSubmit={() => make.mutate({ payload })}>
        <Columns>
          <Card title="What it does">
            <div className="stack">
              <TextField
                label="Name"
                value={draft.name}
                onChange={(name) => change({ name })}
                required
                maxLength={100}
                placeholder="Tortoise"
              />
              <CapabilityFields draft={draft} onChange={change} />
              <StrategyFields draft={draft} onChange={change} />
            </div>
          </Card>
          <Means draft={draft} onChange={change} />
        </Columns>
        <Problem error={make.error} />
        <Actions>
          <ButtonLink to="/bots">Cancel</ButtonLink>
          <Button
            type="submit"
            look="main"
            busy={make.isPending}
            disabled={!isReady || draft.capabilities.length === 0}
          >
            Create bot
          </Button>
        </Actions>
      </Form>
    </>
  )
}

export default BotFormPage
