import { useState } from "react"
import { useLocation } from "wouter"
import { useAct } from "../Data.ts"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card, Columns } from "../ui/Card.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Problem } from "../ui/States.tsx"
import { type BotDraft, changeOf, NEW_BOT } from "./BotDraft.ts"
import { CapabilityFields, CreditFields, StrategyFields } from "./StrategyFields.tsx"

type Creation = ReturnType<typeof creationOf>

const creationOf = (draft: BotDraft) => {
  const { capabilities = [], strategy, ...rest } = changeOf(draft)
  const { maxCollateralPerTrade = 0, riskPreset = "balanced", ...figures } = strategy ?? {}
  return {
    ...rest,
    name: draft.name.trim(),
    capabilities,
    strategy: { ...figures, riskPreset, maxCollateralPerTrade },
    collateral_amount: Number(draft.funding)
  }
}

const idOf = (answer: object): string | undefined => {
  const { bot } = answer as { readonly bot?: { readonly bot_id: string } }
  return bot?.bot_id
}

/** Makes a bot. */
const BotFormPage = () => {
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
          <Card title="What it may use">
            <div className="stack">
              <TextField
                label="Collateral, USD"
                hint="Moves from your account to the bot. You can take back what is free at any time."
                value={draft.funding}
                onChange={(funding) => change({ funding })}
                inputMode="decimal"
                required
              />
              <CreditFields draft={draft} onChange={change} />
            </div>
          </Card>
        </Columns>
        <Problem error={make.error} />
        <Actions>
          <ButtonLink to="/bots">Cancel</ButtonLink>
          <Button type="submit" look="main" busy={make.isPending} disabled={draft.capabilities.length === 0}>
            Create bot
          </Button>
        </Actions>
      </Form>
    </>
  )
}

export default BotFormPage
