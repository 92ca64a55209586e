import { useState } from "react"
import { useParams } from "wouter"
import { ASSET_TYPE_NAMES } from "../arena/ArenaOrder.ts"
import { CommitmentTable, Moves } from "../arena/CommitmentsPage.tsx"
import { Profit } from "../arena/Figures.tsx"
import { useApi } from "../Data.ts"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Card, Facts, Stat, Stats } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { count, percent, usd } from "../ui/Format.ts"
import { Meter } from "../ui/Meter.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded, Notice } from "../ui/States.tsx"
import { PAGE_ROWS } from "../ui/Table.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { When } from "../ui/Time.tsx"
import { BotActions } from "./BotActions.tsx"
import { SUSPENSIONS } from "./BotActs.ts"
import type { Bot } from "./BotDraft.ts"
import { Credits } from "./CreditsCard.tsx"
import { Decisions } from "./DecisionsCard.tsx"
import { Results } from "./ResultsCard.tsx"

/** How often a bot is asked for again, in milliseconds. */
const EVERY = 4_000

const Settings = ({ bot }: { readonly bot: Bot }) => {
  const { strategy } = bot
  return (
    <Card title="Strategy">
      <div className="stack">
        <Meter
          label="Loss limit used"
          value={bot.loss_limit - bot.loss_remaining}
          max={bot.loss_limit}
          text={`${usd(bot.loss_remaining)} of ${usd(bot.loss_limit)} left`}
        />
        <Facts
          rows={[
            ["Strategy", `${wordsOf(strategy.riskPreset)}${strategy.overrides.length === 0 ? "" : ", adjusted"}`],
            ["Risk level", String(strategy.riskLevel)],
            ["May lose", `${strategy.maxLossPct}% of ${usd(bot.net_funded)}`],
            ["Least return", `${strategy.minRoiPct}%`],
            ["Most in one trade", usd(strategy.maxCollateralPerTrade)],
            ["Trades", bot.capabilities.map((type) => ASSET_TYPE_NAMES[type]).join(", ")],
            ["Credits a month", `${count(bot.credit_budget)}${bot.auto_topup_enabled ? ", buys more by itself" : ""}`],
            ["Wallet", <CopyId key="wallet" value={bot.wallet_address} />],
            ["Bot", <CopyId key="id" value={bot.bot_id} />],
            ["Made", <When key="made" at={bot.created_at} />],
            ["In this state since", <When key="since" at={bot.status_changed_at} />]
          ]}
        />
      </div>
    </Card>
  )
}

const Commitments = ({ botId }: { readonly botId: string }) => {
  const [offset, setOffset] = useState(0)
  const query = { limit: String(PAGE_ROWS), offset: String(offset) }
  const path = "GET /api/arena/machine-traders/:bot_id/commitments"
  const found = useApi(path, { params: { bot_id: botId }, query }, { every: EVERY })
  return (
    <Loaded of={found} lines={6}>
      {({ commitments }) =>
        commitments.length === 0 && offset === 0 ? (
          <Empty icon="flow" title="No commitments yet">
            It commits where its expected return reaches what its strategy asks for.
          </Empty>
        ) : (
          <>
            <CommitmentTable rows={commitments} />
            <Moves offset={offset} rows={commitments.length} onMove={setOffset} />
          </>
        )
      }
    </Loaded>
  )
}

const PARTS = [
  ["decisions", "Decisions"],
  ["commitments", "Commitments"],
  ["credits", "Credits"]
] as const

const Activity = ({ bot }: { readonly bot: Bot }) => {
  const { bot_id: botId } = bot
  const [part, setPart] = useState<"decisions" | "commitments" | "credits">("decisions")
  return (
    <Card title={<Tabs label="What the bot did" tabs={PARTS} chosen={part} onChoose={setPart} />} flush>
      {part === "decisions" && <Decisions bot={bot} />}
      {part === "commitments" && <Commitments botId={botId} />}
      {part === "credits" && <Credits botId={botId} />}
    </Card>
  )
}

const BotView = ({ bot }: { readonly bot: Bot }) => (
  <>
    <PageHead
      title={bot.name}
      parent={{ to: "/bots", title: "Bots" }}
      badge={<StatusBadge status={bot.status} />}
      actions={<BotActions bot={bot} />}
    />
    {bot.suspension_reason !== null && (
      <Notice tone="bad" title={`The platform suspended it: ${wordsOf(bot.suspension_reason).toLowerCase()}`}>
        {SUSPENSIONS[bot.suspension_reason]}
        {bot.strategy_error !== null && ` ${bot.strategy_module ?? ""}: ${bot.strategy_error}`}
      </Notice>
    )}
    <Stats>
      <Stat label="Profit and loss" value={<Profit value={bot.profit_loss} />} note="Posted, yield included" />
      <Stat
        label="Win rate"
        value={percent(bot.win_rate, 0)}
        note={`${count(bot.commitments_won)} won of ${count(bot.total_commitments)} commitments`}
      />
      <Stat
        label="Collateral"
        value={usd(bot.collateral_amount)}
        note={`${usd(bot.collateral_locked)} locked, ${usd(bot.collateral_available)} free`}
      />
      <Stat
        label="Credits used"
        value={count(bot.credits_used)}
        note={`${usd(bot.credits_used / 100)} of evaluations`}
      />
    </Stats>
    <div className="order-grid">
      <div className="stack">
        <Results bot={bot} />
        <Activity bot={bot} />
      </div>
      <Settings bot={bot} />
    </div>
  </>
)

/** One bot: what it made, what it decided and why, and what it may do. */
const BotPage = () => {
  const { id = "" } = useParams<{ id: string }>()
  const found = useApi("GET /api/arena/machine-traders/:bot_id", { params: { bot_id: id } }, { every: EVERY })
  return (
    <>
      {found.data === undefined && <PageHead title="Bot" parent={{ to: "/bots", title: "Bots" }} />}
      <Loaded of={found} lines={8}>
        {({ bot }) => <BotView bot={bot} />}
      </Loaded>
    </>
  )
}

export default BotPage
