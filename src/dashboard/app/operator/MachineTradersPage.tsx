import { useState } from "react"
import type { Answer } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Stat, Stats } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, CheckField, Fieldset, Form, TextField } from "../ui/Field.tsx"
import { count, percent, signedUsd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded, Problem } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { Transition } from "./Transition.tsx"

const ASSETS = ["commodity", "fx", "options", "gpu"] as const
type Asset = (typeof ASSETS)[number]

type Stats = Answer<"GET /api/arena/machine-traders/stats">["stats"]
type Trader = Stats["traders"][number]

/** Bots are listed too: those are their companies' to terminate. */
const Retire = ({ agent_id, status, trader_id }: Trader) =>
  status === "terminated" || !trader_id.startsWith("mtr_") ? null : (
    <Transition
      operation="POST /api/arena/machine-traders/:trader_id/retire"
      given={{ params: { trader_id } }}
      act="Retire"
      look="danger"
      done={`${agent_id} is retired`}
      changes={["GET /api/arena/machine-traders/stats", "GET /v1/audit"]}
      question={`Retire ${agent_id} for good?`}
    >
      No commitment of it is accepted from then on. What it committed to before is decided as usual.
    </Transition>
  )

const COLUMNS: ReadonlyArray<Column<Trader>> = [
  { title: "Agent", cell: ({ agent_id }) => <strong>{agent_id}</strong> },
  { title: "Id", cell: ({ trader_id }) => <CopyId value={trader_id} />, wide: true },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Commitments", cell: ({ total_commitments }) => count(total_commitments), align: "right", wide: true },
  { title: "Won", cell: ({ win_rate }) => percent(win_rate), align: "right", wide: true },
  { title: "Profit", cell: ({ total_profit }) => signedUsd(total_profit), align: "right" },
  { title: "", cell: (trader) => <Retire {...trader} />, align: "right" }
]

const NOTHING = { agent: "", uri: "", wallet: "", collateral: "10000", model: "", risk: "medium" }

const RegisterDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [draft, setDraft] = useState(NOTHING)
  const [assets, setAssets] = useState<ReadonlyArray<Asset>>(ASSETS)
  const set = (name: keyof typeof NOTHING) => (value: string) => setDraft((before) => ({ ...before, [name]: value }))
  const register = useAct("POST /api/arena/machine-traders", {
    done: "The machine trader is registered",
    changes: ["GET /api/arena/machine-traders/stats", "GET /v1/audit"],
    quiet: true,
    onDone: onClose
  })
  const payload = {
    agent_id: draft.agent,
    agent_uri: draft.uri,
    wallet_address: draft.wallet,
    capabilities: assets,
    collateral_allocated: Number(draft.collateral),
    specs: { model: draft.model, risk_tolerance: draft.risk }
  }
  return (
    <Dialog title="Register a machine trader" onClose={onClose}>
      <Form onSubmit={() => register.mutate({ payload })}>
        <div className="pair">
          <TextField label="Agent id" required maxLength={200} value={draft.agent} onChange={set("agent")} />
          <TextField label="Model" required maxLength={200} value={draft.model} onChange={set("model")} />
        </div>
        <TextField label="Address of the agent" type="url" required value={draft.uri} onChange={set("uri")} />
        <TextField
          label="Wallet address"
          hint="0x and 40 hexadecimal digits."
          required
          pattern="0x[0-9a-fA-F]{40}"
          value={draft.wallet}
          onChange={set("wallet")}
        />
        <div className="pair">
          <TextField
            label="Collateral that it may have, USD"
            required
            inputMode="decimal"
            value={draft.collateral}
            onChange={set("collateral")}
          />
          <TextField label="Risk tolerance" required maxLength={200} value={draft.risk} onChange={set("risk")} />
        </div>
        <Fieldset legend="What it trades">
          {ASSETS.map((asset) => (
            <CheckField
              key={asset}
              label={wordsOf(asset)}
              checked={assets.includes(asset)}
              onChange={(checked) =>
                setAssets((before) => ASSETS.filter((one) => (one === asset ? checked : before.includes(one))))
              }
            />
          ))}
        </Fieldset>
        <Problem error={register.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={register.isPending} disabled={assets.length === 0}>
            Register
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

/** Machine traders that administrators registered, and what they earned. */
const MachineTradersPage = () => {
  const [isRegistering, setRegistering] = useState(false)
  const stats = useApi("GET /api/arena/machine-traders/stats", {}, { every: 15_000 })
  const register = (
    <Button look="main" icon="plus" onClick={() => setRegistering(true)}>
      Register machine trader
    </Button>
  )
  return (
    <>
      <PageHead
        title="Machine traders"
        lead="Agents with capital of their own that trade beside everybody's commitments and bots."
        actions={register}
      />
      <Loaded of={stats} lines={6}>
        {({ stats: { avg_profit_per_trade, total_commitments, traders, win_rate, active_traders, total_traders } }) => (
          <>
            <Stats>
              <Stat label="Active" value={count(active_traders)} note={`of ${count(total_traders)}`} />
              <Stat label="Commitments" value={count(total_commitments)} />
              <Stat label="Won" value={percent(win_rate)} />
              <Stat label="Profit a trade" value={signedUsd(avg_profit_per_trade)} />
            </Stats>
            <Card flush>
              {traders.length === 0 ? (
                <Empty icon="bot" title="No machine traders yet" />
              ) : (
                <Table label="Machine traders" columns={COLUMNS} rows={traders} keyOf={({ trader_id }) => trader_id} />
              )}
            </Card>
          </>
        )}
      </Loaded>
      {isRegistering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </>
  )
}

export default MachineTradersPage
