import { useState } from "react"
import { Link } from "wouter"
import { Profit } from "../arena/Figures.tsx"
import type { Answer } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { StatusBadge } from "../ui/Badge.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Card, Stat, Stats } from "../ui/Card.tsx"
import { Confirm } from "../ui/Dialog.tsx"
import { count, percent, usd } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { GuardCard } from "./GuardCard.tsx"

type Bots = Answer<"GET /api/arena/machine-traders">["bots"]

/** How often the list is asked for again, in milliseconds. */
const EVERY = 4_000

/** Bots that one page shows: more than any plan allows. */
const MOST = "100"

const PauseAll = ({ active }: { readonly active: number }) => {
  const [isAsked, setAsked] = useState(false)
  const pause = useAct("POST /api/arena/machine-traders/pause-all", {
    done: "All bots are paused",
    changes: ["GET /api/arena/machine-traders"],
    onDone: () => setAsked(false)
  })
  return (
    <>
      <Button look="danger" icon="stop" disabled={active === 0} onClick={() => setAsked(true)}>
        Pause all
      </Button>
      {isAsked && (
        <Confirm
          title="Pause all bots?"
          act="Pause all bots"
          busy={pause.isPending}
          onConfirm={() => pause.mutate({ payload: {} })}
          onClose={() => setAsked(false)}
        >
          <p>
            {active === 1 ? "The active bot stops" : `The ${active} active bots stop`} deciding at once. What they have
            committed already stays and is settled. Each can be resumed on its own page.
          </p>
        </Confirm>
      )}
    </>
  )
}

const Credits = () => {
  const { data } = useApi("GET /api/arena/machine-traders/credits/balance", {}, { every: EVERY })
  if (data === undefined) return <Stat label="Credits left" value="–" />
  const { free_balance: free, paid_balance: paid, period_end: end } = data.balance
  return (
    <Stat
      label="Credits left"
      value={count(free + paid)}
      note={
        <>
          {count(free)} lapse <When at={end} as="distance" />
        </>
      }
    />
  )
}

const Figures = ({ bots }: { readonly bots: Bots }) => {
  const sum = (of: (bot: Bots[number]) => number) => bots.reduce((all, bot) => all + of(bot), 0)
  const active = bots.filter(({ status }) => status === "active").length
  return (
    <Stats>
      <Stat
        label="Profit and loss"
        value={<Profit value={sum((bot) => bot.profit_loss)} />}
        note="Of all bots, yield included"
      />
      <Stat label="Active" value={`${active} of ${bots.length}`} />
      <Stat
        label="Collateral"
        value={usd(sum((bot) => bot.collateral_amount))}
        note={`${usd(sum((bot) => bot.collateral_locked))} locked`}
      />
      <Credits />
    </Stats>
  )
}

const BotTable = ({ bots }: { readonly bots: Bots }) => (
  <Table
    label="Bots"
    rows={bots}
    keyOf={(bot) => bot.bot_id}
    to={(bot) => `/bots/${bot.bot_id}`}
    columns={[
      { title: "Name", cell: (bot) => <Link href={`/bots/${bot.bot_id}`}>{bot.name}</Link> },
      { title: "Status", cell: (bot) => <StatusBadge status={bot.status} /> },
      { title: "Profit", align: "right", cell: (bot) => <Profit value={bot.profit_loss} /> },
      { title: "Win rate", align: "right", wide: true, cell: (bot) => percent(bot.win_rate, 0) },
      { title: "Commitments", align: "right", wide: true, cell: (bot) => count(bot.total_commitments) },
      { title: "Collateral", align: "right", wide: true, cell: (bot) => usd(bot.collateral_amount) },
      { title: "May still lose", align: "right", wide: true, cell: (bot) => usd(bot.loss_remaining) }
    ]}
  />
)

/** The company's bots. */
const BotsPage = () => {
  const found = useApi("GET /api/arena/machine-traders", { query: { limit: MOST } }, { every: EVERY })
  const active = (found.data?.bots ?? []).filter(({ status }) => status === "active").length
  return (
    <>
      <PageHead
        title="Bots"
        lead="Machine traders that watch the arena, decide about each order by their strategy and commit with collateral of their own."
        actions={
          <>
            <PauseAll active={active} />
            <ButtonLink look="main" icon="plus" to="/bots/new">
              New bot
            </ButtonLink>
          </>
        }
      />
      <Loaded of={found} lines={6}>
        {({ bots }) =>
          bots.length === 0 ? (
            <Card>
              <Empty
                icon="bot"
                title="No bots yet"
                action={
                  <ButtonLink look="main" icon="plus" to="/bots/new">
                    Make the first bot
                  </ButtonLink>
                }
              >
                Bots need the plan pro or enterprise and a linked wallet address. A new one does nothing until you start
                it.
              </Empty>
            </Card>
          ) : (
            <>
              <Figures bots={bots} />
              <Card flush>
                <BotTable bots={bots} />
              </Card>
              <GuardCard />
            </>
          )
        }
      </Loaded>
    </>
  )
}

export default BotsPage
