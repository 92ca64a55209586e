import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { BotState } from "../../engine/bots/Bot.ts"
import { botGuardStream, botStream, companyBotsStream } from "../../engine/bots/BotEvent.ts"
import type { BotStatus, SuspensionCause } from "../../engine/bots/BotLifecycle.ts"
import type { KeptBot } from "../../engine/bots/BotRows.ts"
import type { RiskPreset } from "../../engine/bots/Strategy.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { Direct } from "../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** A row of bots with the version of its stream. */
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
  readonly strategy_module: string | null
  readonly module_failure: string | null
  readonly version: number
}

/** The bots and their versions, as of one moment. What follows is a condition on `bot`. */
export const selectBots = (sql: SqlClient) => sql`
  SELECT bot.id, bot.company_id, bot.user_id, bot.wallet_address, bot.name, bot.capabilities, bot.risk_preset,
    bot.risk_level, bot.max_loss_pct, bot.min_roi_pct, bot.max_collateral_per_trade, bot.credit_budget,
    bot.auto_top_up, bot.status, bot.cause, bot.net_funded::text AS net_funded,
    bot.loss_allowance::text AS loss_allowance, bot.turns, bot.created_at, bot.status_at,
    bot.strategy_module, bot.module_failure,
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
    autoTopUp: row.auto_top_up,
    ...(row.strategy_module !== null && { strategyModule: row.strategy_module })
  },
  standing: { status: row.status, cause: row.cause },
  failure: row.module_failure,
  netFunded: fromUnits(BigInt(row.net_funded)),
  allowance: fromUnits(BigInt(row.loss_allowance)),
  turns: row.turns,
  createdAt: Number(row.created_at),
  statusAt: Number(row.status_at),
  version: row.version
})

/** Whose bots, and in which status; undefined: any. */
export interface BotFilter {
  readonly companyId: string
  readonly status: BotStatus | undefined
}

export interface BotPage {
  readonly bots: ReadonlyArray<BotState>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** What a new bot of a company is decided on. */
export interface BotCount {
  /** Of the stream in which the company's bots are made. */
  readonly version: number
  /** Its bots that are not terminated. */
  readonly living: number
  readonly active: number
}

/** Bots as they are read. */
export class BotRepository extends Context.Service<
  BotRepository,
  {
    readonly find: (botId: string) => Effect.Effect<BotState | undefined, Unavailable>
    /** Oldest first. */
    readonly list: (filter: BotFilter, page: Page) => Effect.Effect<BotPage, Unavailable | Keyset.UnknownCursor>
    readonly count: (companyId: string) => Effect.Effect<BotCount, Unavailable>
    /** A company's active bots, newest first. */
    readonly active: (companyId: string) => Effect.Effect<ReadonlyArray<BotState>, Unavailable>
    /** The active bots that have a module. */
    readonly programs: Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Companies with active bots. */
    readonly operating: Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Bots that are not terminated. */
    readonly living: Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Terminated bots to which something has come back. */
    readonly owed: Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Of the stream of a company's guard, and when it pauses the company's bots. */
    readonly guard: (
      companyId: string
    ) => Effect.Effect<{ readonly version: number; readonly deadlineAt: number | null }, Unavailable>
    /** Companies whose guards are due, the longest first. */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** When the next guard is due. */
    readonly nextDue: Effect.Effect<number | undefined, Unavailable>
    /** Those of these bots that the tables have. Does not wait for the tables to follow the journal. */
    readonly kept: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeptBot>, SqlError>
  }
>()("emporion/bots/BotRepository") {
  static readonly layer: Layer.Layer<BotRepository, never, SqlClient | Direct> = Layer.effect(
    this,
    Effect.zipWith(SqlClient, Direct, (sql, direct) =>
      BotRepository.of({ ...bots(sql), ...guards(sql), kept: kept(direct) })
    )
  )
}

const bots = (sql: SqlClient) => {
  const select = selectBots(sql)
  return {
    find: (botId: string) =>
      sql<BotRow>`${select} WHERE bot.id = ${botId}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toBot)[0])
      ),
    list: Effect.fnUntraced(function* ({ companyId, status }: BotFilter, page: Page) {
      const listed: Keyset.Listed<BotRow> = {
        select,
        from: sql`bots AS bot`,
        scope: sql`bot.company_id = ${companyId}`,
        wanted: status === undefined ? undefined : sql`bot.status = ${status}`,
        order: [{ column: "bot.created_at" }, { column: "bot.id" }],
        id: "bot.id",
        idOf: ({ id }) => id
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { bots: rows.map(toBot), total, next }
    }, unavailableOrDie),
    count: (companyId: string) =>
      sql<{ readonly version: number; readonly living: bigint; readonly active: bigint }>`
        SELECT coalesce((SELECT version FROM event_streams WHERE id = ${companyBotsStream(companyId)}), 0) AS version,
          count(*) FILTER (WHERE status <> 'terminated') AS living, count(*) FILTER (WHERE status = 'active') AS active
        FROM bots WHERE company_id = ${companyId}`.pipe(
        unavailableOrDie,
        Effect.map(([row]) => ({
          version: row?.version ?? 0,
          living: Number(row?.living ?? 0n),
          active: Number(row?.active ?? 0n)
        }))
      ),
    active: (companyId: string) =>
      sql<BotRow>`
        ${select} WHERE bot.company_id = ${companyId} AND bot.status = 'active'
        ORDER BY bot.created_at DESC, bot.id DESC`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toBot))
      ),
    programs: sql<{ readonly id: string }>`
      SELECT id FROM bots WHERE status = 'active' AND strategy_module IS NOT NULL ORDER BY id`.pipe(
      unavailableOrDie,
      Effect.map(idsOf)
    ),
    operating: sql<{ readonly company_id: string }>`
      SELECT DISTINCT company_id FROM bots WHERE status = 'active' ORDER BY company_id`.pipe(
      unavailableOrDie,
      Effect.map((rows) => rows.map((row) => row.company_id))
    ),
    living: sql<{ readonly id: string }>`SELECT id FROM bots WHERE status <> 'terminated'`.pipe(
      unavailableOrDie,
      Effect.map(idsOf)
    ),
    owed: sql<{ readonly id: string }>`
      SELECT bot.id FROM bots AS bot JOIN ledger_accounts AS account ON account.id = bot.id || '/USD/wallet'
      WHERE bot.status = 'terminated' AND account.balance > account.held ORDER BY bot.id`.pipe(
      unavailableOrDie,
      Effect.map(idsOf)
    )
  }
}

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => rows.map(({ id }) => id)

const guards = (sql: SqlClient) => ({
  guard: (companyId: string) =>
    sql<{ readonly version: number; readonly deadline_at: bigint | null }>`
      SELECT stream.version, made.deadline_at FROM bot_guards AS made
      JOIN event_streams AS stream ON stream.id = ${botGuardStream(companyId)}
      WHERE made.company_id = ${companyId}`.pipe(
      unavailableOrDie,
      Effect.map(([row]) => ({
        version: row?.version ?? 0,
        deadlineAt: row === undefined || row.deadline_at === null ? null : Number(row.deadline_at)
      }))
    ),
  due: (now: number, limit: number) =>
    sql<{ readonly company_id: string }>`
      SELECT company_id FROM bot_guards WHERE deadline_at <= ${BigInt(now)}
      ORDER BY deadline_at, company_id LIMIT ${limit}`.pipe(
      unavailableOrDie,
      Effect.map((rows) => rows.map((row) => row.company_id))
    ),
  nextDue: sql<{ readonly at: bigint | null }>`SELECT min(deadline_at) AS at FROM bot_guards`.pipe(
    unavailableOrDie,
    Effect.map(([row]) => (row === undefined || row.at === null ? undefined : Number(row.at)))
  )
})

interface KeptRow {
  readonly id: string
  readonly event_seq: bigint
  readonly risk_tolerance: string
  readonly span_seq: bigint | null
  readonly capabilities: ReadonlyArray<string> | null
  readonly active_from: bigint | null
}

const toKept = (
  state: BotState,
  { active_from: from, capabilities, event_seq: seq, risk_tolerance: risk, span_seq }: KeptRow
): KeptBot => {
  const { botId, companyId } = state
  const isActive = span_seq !== null && capabilities !== null && from !== null
  const span = isActive ? { seq: Number(span_seq), botId, companyId, capabilities, from: Number(from) } : null
  return { state, risk, seq: Number(seq), span, ended: null }
}

const kept = (sql: SqlClient) =>
  Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const found = yield* sql<BotRow>`${selectBots(sql)} WHERE bot.id = ANY(${texts(ids)}::text[])`
    const rows = yield* sql<KeptRow>`
      SELECT bot.id, bot.event_seq, trader.risk_tolerance, span.event_seq AS span_seq, span.capabilities,
        span.active_from
      FROM bots AS bot JOIN machine_traders AS trader ON trader.id = bot.id
        LEFT JOIN machine_trader_spans AS span ON span.trader_id = bot.id AND span.active_until IS NULL
      WHERE bot.id = ANY(${texts(ids)}::text[])`
    const byId = new Map(rows.map((row) => [row.id, row]))
    return found.flatMap((bot) => {
      const row = byId.get(bot.id)
      return row === undefined ? [] : [toKept(toBot(bot), row)]
    })
  })
