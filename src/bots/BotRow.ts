import type { SqlClient } from "effect/sql/SqlClient"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { BotState } from "../../engine/bot/Bot.ts"
import { botStream } from "../../engine/bot/BotEvent.ts"
import type { BotStatus, SuspensionCause } from "../../engine/bot/BotLifecycle.ts"
import type { RiskPreset } from "../../engine/bot/Strategy.ts"
import { fromUnits } from "../../engine/money/Amount.ts"

/** A row of bots with the version of its stream, as {@link selectBots} selects it. */
export interface BotRow {
  readonly id: string
  readonly company_id: string
  readonly user_id: string
  readonly wallet_address: string
  readonly name: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly risk_preset: RiskPreset
  readonly risk_level: bigint
  readonly max_loss_pct: bigint
  readonly min_roi_pct: bigint
  readonly max_collateral_per_trade: bigint
  readonly credit_budget: bigint
  readonly auto_top_up: boolean
  readonly status: BotStatus
  readonly cause: SuspensionCause | null
  readonly net_funded: string
  readonly loss_allowance: string
  readonly turns: number
  readonly created_at: bigint
  readonly status_at: bigint
  readonly version: number
}

/** The bots and their versions, as of one moment. What follows is a condition on `bot`. */
export const selectBots = (sql: SqlClient) => sql`
  SELECT bot.id, bot.company_id, bot.user_id, bot.wallet_address, bot.name, bot.capabilities, bot.risk_preset,
    bot.risk_level, bot.max_loss_pct, bot.min_roi_pct, bot.max_collateral_per_trade, bot.credit_budget,
    bot.auto_top_up, bot.status, bot.cause, bot.net_funded::text AS net_funded,
    bot.loss_allowance::text AS loss_allowance, bot.turns, bot.created_at, bot.status_at,
    coalesce(stream.version, 0) AS version
  FROM bots AS bot LEFT JOIN event_streams AS stream ON stream.id = ${botStream("")} || bot.id`

export const toBot = (row: BotRow): BotState => ({
  botId: row.id,
  companyId: row.company_id,
  userId: row.user_id,
  walletAddress: row.wallet_address,
  profile: {
    name: row.name,
    capabilities: row.capabilities,
    strategy: {
      riskPreset: row.risk_preset,
      riskLevel: fromUnits(row.risk_level),
      maxLossPct: fromUnits(row.max_loss_pct),
      minRoiPct: fromUnits(row.min_roi_pct),
      maxCollateralPerTrade: fromUnits(row.max_collateral_per_trade)
    },
    creditBudget: fromUnits(row.credit_budget),
    autoTopUp: row.auto_top_up
  },
  standing: { status: row.status, cause: row.cause },
  netFunded: fromUnits(BigInt(row.net_funded)),
  allowance: fromUnits(BigInt(row.loss_allowance)),
  turns: row.turns,
  createdAt: Number(row.created_at),
  statusAt: Number(row.status_at),
  version: row.version
})
