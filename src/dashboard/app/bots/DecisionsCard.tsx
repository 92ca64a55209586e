import { useState } from "react"
import { Link } from "wouter"
import { useApi } from "../Data.ts"
import { Badge, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { PAGE_ROWS, Pager, Table } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import type { Bot } from "./BotDraft.ts"
import { type BotDecision, decideAgain, decisionStory } from "./DecisionStory.ts"
import { TrialDialog } from "./TrialDialog.tsx"

/** What a decision says without its code before it. */
const sentence = ({ decision_code: code, decision_reason: reason }: BotDecision): string =>
  reason.replace(`${code}: `, "")

const DecisionBadge = ({ decision }: { readonly decision: BotDecision }) => (
  <Badge tone={decision.should_commit ? "good" : "plain"}>
    {decision.should_commit ? (decision.dry_run ? "Would commit" : "Committed") : wordsOf(decision.decision_code)}
  </Badge>
)

const Again = ({ decision }: { readonly decision: BotDecision }) => {
  const [isAsked, setAsked] = useState(false)
  const different = isAsked ? decideAgain(decision) : undefined
  const same = different?.length === 0
  return (
    <div className="row">
      <Button icon="shield" onClick={() => setAsked(true)}>
        Decide again in this browser
      </Button>
      {isAsked && (
        <span role="status">
          <Badge tone={same ? "good" : "bad"}>
            {same ? "The same decision" : `Another: ${(different ?? ["unreadable"]).join(", ")}`}
          </Badge>
        </span>
      )}
    </div>
  )
}

interface DecisionDialogProps {
  readonly decision: BotDecision
  readonly onClose: () => void
}

const DecisionDialog = ({ decision, onClose }: DecisionDialogProps) => (
  <Dialog title="How it decided" onClose={onClose}>
    <p>
      <DecisionBadge decision={decision} /> {sentence(decision)}
    </p>
    <ol className="story">
      {decisionStory(decision).map(({ because, name, value }) => (
        <li key={name}>
          <span className="story-head">
            <span>{name}</span>
            <strong className="number">{value}</strong>
          </span>
          <span className="soft">{because}</span>
        </li>
      ))}
    </ol>
    <p className="soft">
      Made <When at={decision.at} /> for {decision.credits_charged} credit{decision.credits_charged === 1 ? "" : "s"}
      {decision.dry_run ? ", as a trial" : ""}. Everything it was decided on is kept, so anybody can decide it again.
    </p>
    <Again decision={decision} />
    <p>
      <Link href={`/arena/orders/${decision.order_id}`}>See the order</Link>
    </p>
  </Dialog>
)

interface DecisionTableProps {
  readonly decisions: ReadonlyArray<BotDecision>
  readonly onShow: (decision: BotDecision) => void
}

const DecisionTable = ({ decisions, onShow }: DecisionTableProps) => (
  <Table
    label="Decisions"
    rows={decisions}
    keyOf={(decision) => decision.decision_id}
    columns={[
      { title: "When", cell: (decision) => <When at={decision.at} as="distance" /> },
      { title: "Decision", cell: (decision) => <DecisionBadge decision={decision} /> },
      { title: "Why", wide: true, cell: (decision) => <span className="soft">{sentence(decision)}</span> },
      {
        title: "Explained",
        align: "right",
        cell: (decision) => (
          <Button size="small" look="quiet" onClick={() => onShow(decision)}>
            How
            <span className="unseen"> it decided {decision.at}</span>
            <Icon name="chevron" size={12} />
          </Button>
        )
      }
    ]}
  />
)

/** How often decisions are asked for again, in milliseconds. */
const EVERY = 5_000

/** What a bot decided, newest first, each with how it came to it. */
export const Decisions = ({ bot }: { readonly bot: Bot }) => {
  const { bot_id: botId } = bot
  const [isTrying, setTrying] = useState(false)
  const [offset, setOffset] = useState(0)
  const [shown, setShown] = useState<BotDecision>()
  const found = useApi(
    "GET /api/arena/machine-traders/:bot_id/decisions",
    { params: { bot_id: botId }, query: { limit: String(PAGE_ROWS), offset: String(offset) } },
    { every: EVERY }
  )
  const trial = bot.status !== "terminated" && (
    <Button size={found.data?.total === 0 ? "usual" : "small"} icon="search" onClick={() => setTrying(true)}>
      Try an order
    </Button>
  )
  return (
    <>
      <Loaded of={found} lines={6}>
        {({ decisions, total }) =>
          decisions.length === 0 ? (
            <Empty icon="bot" title="No decisions yet" action={trial}>
              An active bot decides about each new order of the kinds that it trades.
            </Empty>
          ) : (
            <>
              {trial !== false && (
                <div className="table-head">
                  <p className="soft">Each is kept with all that it was decided on.</p>
                  {trial}
                </div>
              )}
              <DecisionTable decisions={decisions} onShow={setShown} />
              <Pager total={total} offset={offset} onMove={setOffset} />
            </>
          )
        }
      </Loaded>
      {isTrying && <TrialDialog bot={bot} onClose={() => setTrying(false)} />}
      {shown !== undefined && <DecisionDialog decision={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
