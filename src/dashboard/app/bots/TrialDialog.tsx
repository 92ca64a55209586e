import { useState } from "react"
import { Link } from "wouter"
import { useLiveArena } from "../arena/ArenaNow.ts"
import { type ArenaOrder, ASSET_TYPE_NAMES, assetName, timesOf } from "../arena/ArenaOrder.ts"
import { Profit, units } from "../arena/Figures.tsx"
import { quote } from "../arena/Quote.ts"
import type { Answer, Read } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { Badge, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Facts } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { clockOf, percent, usd } from "../ui/Format.ts"
import { Empty, Notice, Problem, Waiting } from "../ui/States.tsx"
import type { Bot } from "./BotDraft.ts"

type Evaluated = Answer<"POST /api/arena/machine-traders/:bot_id/evaluate">

const CHANGES: ReadonlyArray<Read> = [
  "GET /api/arena/machine-traders/:bot_id/decisions",
  "GET /api/arena/machine-traders/:bot_id/usage",
  "GET /api/arena/machine-traders/:bot_id/stats",
  "GET /api/arena/machine-traders/credits/balance"
]

/** Those that still take commitments, of the kinds that the bot trades, the longest open first. */
const takenBy = (bot: Bot, orders: Iterable<ArenaOrder>): ReadonlyArray<ArenaOrder> =>
  [...orders]
    .filter(({ asset_type: type, status }) => bot.capabilities.includes(type) && /^(open|competing)$/.test(status))
    .toSorted((one, other) => timesOf(other).expiryAt - timesOf(one).expiryAt)

/** A code such as ARENA_007 in front is for programs. */
const sentence = (text: string): string => text.replace(/^\w+: /, "")

const Outcome = ({ credits_charged: credits, evaluation }: Evaluated) => (
  <div className="stack" role="status">
    <p>
      <Badge tone={evaluation.should_commit ? "good" : "plain"}>
        {evaluation.should_commit ? "It would commit" : wordsOf(evaluation.decision_code)}
      </Badge>{" "}
      {sentence(evaluation.decision_reason)}
    </p>
    {evaluation.warnings.map((warning) => (
      <Notice key={warning} tone="wait" title={sentence(warning)} />
    ))}
    <Facts
      rows={[
        ["Fair price", evaluation.fair_price === null ? "Unknown" : quote(evaluation.fair_price)],
        ["It would bid", `${quote(evaluation.proposed_entry_price)} for ${units(evaluation.quantity)}`],
        ["Collateral", usd(evaluation.collateral)],
        ["Expected profit", <Profit key="profit" value={evaluation.expected_profit} />],
        ["Return", percent(evaluation.roi_percent / 100)],
        ["Charged", credits === 1 ? "1 credit" : `${credits} credits`]
      ]}
    />
  </div>
)

interface TrialProps {
  readonly bot: Bot
  readonly orders: ReadonlyArray<ArenaOrder>
  readonly onClose: () => void
}

const Trial = ({ bot, onClose, orders }: TrialProps) => {
  const [asked, setAsked] = useState("")
  const chosen = orders.find(({ order_id: id }) => id === asked) ?? orders[0]
  const run = useAct("POST /api/arena/machine-traders/:bot_id/evaluate", { changes: CHANGES, quiet: true })
  if (chosen === undefined) {
    return (
      <Empty icon="clock" title="No order is open for it">
        It trades {bot.capabilities.map((type) => ASSET_TYPE_NAMES[type].toLowerCase()).join(", ")}. The next orders
        come when the next slot begins.
      </Empty>
    )
  }
  const named = (order: ArenaOrder) =>
    `${assetName(order)} at ${quote(order.entry_price)}, closes ${clockOf(timesOf(order).expiryAt)}`
  const send = () => run.mutate({ params: { bot_id: bot.bot_id }, payload: { order_id: chosen.order_id } })
  return (
    <Form onSubmit={send}>
      <SelectField
        label="Order"
        hint={
          <>
            Takes a credit, $0.01, and commits to nothing.{" "}
            <Link href={`/arena/orders/${chosen.order_id}`}>See the order</Link>
          </>
        }
        value={chosen.order_id}
        onChange={(id) => {
          setAsked(id)
          run.reset()
        }}
        options={orders.map((order) => [order.order_id, named(order)] as const)}
      />
      {run.data !== undefined && <Outcome {...run.data} />}
      <Problem error={run.error} />
      <Actions>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" look="main" busy={run.isPending}>
          {run.data === undefined ? "Evaluate" : "Evaluate again"}
        </Button>
      </Actions>
    </Form>
  )
}

/** Has a bot evaluate one order without committing to it. */
export const TrialDialog = ({ bot, onClose }: { readonly bot: Bot; readonly onClose: () => void }) => {
  const live = useLiveArena()
  return (
    <Dialog title={`What would ${bot.name} do?`} onClose={onClose}>
      {live.status === "live" || live.orders.size > 0 ? (
        <Trial bot={bot} orders={takenBy(bot, live.orders.values())} onClose={onClose} />
      ) : (
        <Waiting lines={3} />
      )}
    </Dialog>
  )
}
