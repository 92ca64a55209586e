import { useState } from "react"
import type { Read } from "../Contract.ts"
import { useAct } from "../Data.ts"
import type { Refused } from "../Refused.ts"
import { Button } from "../ui/Button.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { usd } from "../ui/Format.ts"
import { Problem } from "../ui/States.tsx"
import { actsOf, type BotAct } from "./BotActs.ts"
import { type Bot, changeOf, draftOf } from "./BotDraft.ts"
import { CapabilityFields, CreditFields, StrategyFields } from "./StrategyFields.tsx"

const CHANGES: ReadonlyArray<Read> = [
  "GET /api/arena/machine-traders/:bot_id",
  "GET /api/arena/machine-traders",
  "GET /api/arena/machine-traders/:bot_id/stats",
  "GET /api/arena/machine-traders/credits/balance"
]

const PATHS = {
  start: "POST /api/arena/machine-traders/:bot_id/start",
  pause: "POST /api/arena/machine-traders/:bot_id/pause",
  resume: "POST /api/arena/machine-traders/:bot_id/resume"
} as const

const LOOKS = {
  start: { title: "Start", icon: "play", done: "The bot is active" },
  pause: { title: "Pause", icon: "pause", done: "The bot is paused" },
  resume: { title: "Resume", icon: "play", done: "The bot is active again" }
} as const

const Switch = ({ act, bot }: { readonly act: Exclude<BotAct, "terminate">; readonly bot: Bot }) => {
  const { done, icon, title } = LOOKS[act]
  const run = useAct(PATHS[act], { done, changes: CHANGES })
  return (
    <Button
      look={act === "pause" ? "usual" : "main"}
      icon={icon}
      busy={run.isPending}
      onClick={() => run.mutate({ params: { bot_id: bot.bot_id } })}
    >
      {title}
    </Button>
  )
}

interface DialogProps {
  readonly bot: Bot
  readonly onClose: () => void
}

const TerminateDialog = ({ bot, onClose }: DialogProps) => {
  const end = useAct("POST /api/arena/machine-traders/:bot_id/terminate", {
    done: "The bot is terminated",
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Confirm
      title={`Terminate ${bot.name}?`}
      act="Terminate bot"
      busy={end.isPending}
      onConfirm={() => end.mutate({ params: { bot_id: bot.bot_id } })}
      onClose={onClose}
    >
      <p>
        This is final. {usd(bot.collateral_available)} go back to your account at once
        {bot.collateral_locked > 0 ? `, and ${usd(bot.collateral_locked)} when its commitments settle` : ""}.
      </p>
    </Confirm>
  )
}

const COLLATERAL_PATHS = {
  fund: "POST /api/arena/machine-traders/:bot_id/fund",
  withdraw: "POST /api/arena/machine-traders/:bot_id/withdraw"
} as const

const COLLATERAL = {
  fund: { title: "Fund", hint: "Moves from your USD to the bot.", done: "The bot is funded" },
  withdraw: {
    title: "Withdraw",
    hint: "Moves back to your USD. What the bot may lose shrinks with it.",
    done: "The collateral is back in your account"
  }
} as const

interface AmountDialogProps extends DialogProps {
  readonly title: string
  readonly hint: string
  readonly error: Refused | null
  readonly busy: boolean
  readonly onSend: (amount: number) => void
}

const AmountDialog = ({ bot, busy, error, hint, onClose, onSend, title }: AmountDialogProps) => {
  const [amount, setAmount] = useState("")
  return (
    <Dialog title={`${title}: ${bot.name}`} onClose={onClose}>
      <Form onSubmit={() => onSend(Number(amount))}>
        <TextField
          label="Amount, USD"
          hint={hint}
          value={amount}
          onChange={setAmount}
          inputMode="decimal"
          required
          autoComplete="off"
        />
        <Problem error={error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={busy}>
            {title}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const CollateralDialog = ({ bot, move, onClose }: DialogProps & { readonly move: keyof typeof COLLATERAL }) => {
  const { done, hint, title } = COLLATERAL[move]
  const run = useAct(COLLATERAL_PATHS[move], { done, changes: CHANGES, onDone: onClose, quiet: true })
  return (
    <AmountDialog
      bot={bot}
      title={title}
      hint={hint}
      error={run.error}
      busy={run.isPending}
      onClose={onClose}
      onSend={(amount) => run.mutate({ params: { bot_id: bot.bot_id }, payload: { amount } })}
    />
  )
}

const CreditsDialog = ({ bot, onClose }: DialogProps) => {
  const run = useAct("POST /api/arena/machine-traders/:bot_id/topup", {
    done: "Credits bought",
    changes: CHANGES,
    onDone: onClose,
    quiet: true
  })
  return (
    <AmountDialog
      bot={bot}
      title="Buy credits"
      hint="100 credits for each USD of your account. They are the company's and do not lapse."
      error={run.error}
      busy={run.isPending}
      onClose={onClose}
      onSend={(amount) => run.mutate({ params: { bot_id: bot.bot_id }, payload: { dollar_amount: amount } })}
    />
  )
}

const EditDialog = ({ bot, onClose }: DialogProps) => {
  const [draft, setDraft] = useState(() => draftOf(bot))
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const save = useAct("PATCH /api/arena/machine-traders/:bot_id", {
    done: "Its next decision follows these settings",
    changes: CHANGES,
    onDone: onClose,
    quiet: true
  })
  return (
    <Dialog title={`Settings of ${bot.name}`} onClose={onClose}>
      <Form onSubmit={() => save.mutate({ params: { bot_id: bot.bot_id }, payload: changeOf(draft) })}>
        <TextField label="Name" value={draft.name} onChange={(name) => change({ name })} required maxLength={100} />
        <CapabilityFields draft={draft} onChange={change} />
        <StrategyFields draft={draft} onChange={change} />
        <CreditFields draft={draft} onChange={change} />
        <Problem error={save.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={save.isPending} disabled={draft.capabilities.length === 0}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

type Asked = "fund" | "withdraw" | "topup" | "terminate" | "edit"

/** What an owner can do with a bot, with the dialogs that ask for more. */
export const BotActions = ({ bot }: { readonly bot: Bot }) => {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  if (bot.status === "terminated") return null
  const [first] = actsOf(bot.status)
  return (
    <>
      {first !== undefined && first !== "terminate" && <Switch act={first} bot={bot} />}
      <Button icon="wallet" onClick={() => setAsked("fund")}>
        Fund
      </Button>
      <Button onClick={() => setAsked("withdraw")}>Withdraw</Button>
      <Button onClick={() => setAsked("topup")}>Buy credits</Button>
      <Button icon="sliders" onClick={() => setAsked("edit")}>
        Settings
      </Button>
      <Button look="danger" onClick={() => setAsked("terminate")}>
        Terminate
      </Button>
      {asked === "terminate" && <TerminateDialog bot={bot} onClose={close} />}
      {asked === "edit" && <EditDialog bot={bot} onClose={close} />}
      {(asked === "fund" || asked === "withdraw") && <CollateralDialog bot={bot} move={asked} onClose={close} />}
      {asked === "topup" && <CreditsDialog bot={bot} onClose={close} />}
    </>
  )
}
