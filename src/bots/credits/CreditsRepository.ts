import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { botStream } from "../../../engine/bots/BotEvent.ts"
import type { BotStatus } from "../../../engine/bots/BotLifecycle.ts"
import type { Buyer, RecordedCredits } from "../../../engine/bots/Charging.ts"
import { creditBudgetOf, creditsOf, creditsStream } from "../../../engine/bots/EvaluationCredits.ts"
import type { AccountId } from "../../../engine/ledger/Account.ts"
import { type Amount, fromUnits } from "../../../engine/money/Amount.ts"
import type { CreditBudget, CreditMovement } from "../../../engine/bots/EvaluationCreditsRows.ts"
import type { Page } from "../../api/Paging.ts"
import { texts } from "../../database/ArrayParameter.ts"
import { Direct } from "../../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"

/** What a bot's evaluations took, and what was bought for it. */
export interface CreditUse {
  readonly free: Amount
  readonly paid: Amount
  readonly evaluations: number
  readonly bought: Amount
  readonly usd: Amount
}

/** A bot's use in one month and in all. */
export interface CreditUses {
  readonly period: CreditUse
  readonly total: CreditUse
  /** Milliseconds since 1970. */
  readonly lastAt: number | null
}

export interface ListedMovement extends CreditMovement {
  readonly seq: number
}

export interface MovementPage {
  readonly movements: ReadonlyArray<ListedMovement>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** Of a company, or of one of its bots. */
export type MovementsOf = { readonly companyId: string } | { readonly botId: string }

interface StandingRow {
  readonly version: number
  readonly granted: string | null
  readonly free: string
  readonly paid: string
  readonly times: number
  readonly budget: string
  readonly budget_left: string
  readonly topped_up: string
}

interface MovementRow {
  readonly event_seq: bigint
  readonly company_id: string
  readonly bot_id: string | null
  readonly user_id: string | null
  readonly at: bigint
  readonly period: string
  readonly kind: CreditMovement["kind"]
  readonly free: bigint
  readonly paid: bigint
  readonly usd: bigint
  readonly automatic: boolean
  readonly charge_id: string | null
}

interface UseRow {
  readonly free: string
  readonly paid: string
  readonly evaluations: bigint
  readonly bought: string
  readonly usd: string
  readonly last_at: bigint | null
}

interface BotRow {
  readonly id: string
  readonly company_id: string
  readonly user_id: string
  readonly credit_budget: bigint
  readonly auto_top_up: boolean
  readonly status: BotStatus
  readonly version: number
}

const units = (text: string): Amount => fromUnits(BigInt(text))

const toMovement = (row: MovementRow): ListedMovement => ({
  seq: Number(row.event_seq),
  companyId: row.company_id,
  botId: row.bot_id,
  userId: row.user_id,
  at: Number(row.at),
  period: row.period,
  kind: row.kind,
  free: fromUnits(row.free),
  paid: fromUnits(row.paid),
  usd: fromUnits(row.usd),
  automatic: row.automatic,
  chargeId: row.charge_id
})

const toUse = (row: UseRow): CreditUse => ({
  free: units(row.free),
  paid: units(row.paid),
  evaluations: Number(row.evaluations),
  bought: units(row.bought),
  usd: units(row.usd)
})

/** Credits as they are read. */
export class CreditsRepository extends Context.Service<
  CreditsRepository,
  {
    /** A company's credits, and what a bot of it may use of them in a month, all of one moment. */
    readonly standing: (companyId: string, botId: string, period: string) => Effect.Effect<RecordedCredits, Unavailable>
    /** What an account can spend. */
    readonly available: (account: AccountId) => Effect.Effect<Amount, Unavailable>
    readonly bot: (botId: string) => Effect.Effect<Buyer | undefined, Unavailable>
    readonly uses: (botId: string, period: string) => Effect.Effect<CreditUses, Unavailable>
    /** What each bot of a company used in all; nothing for one that used none. */
    readonly usedBy: (companyId: string) => Effect.Effect<ReadonlyMap<string, Amount>, Unavailable>
    /** Newest first. */
    readonly movements: (of: MovementsOf, page: Page) => Effect.Effect<MovementPage, Unavailable | Keyset.UnknownCursor>
    /** Companies that have free credits of a month before this one, the ones waiting longest first. */
    readonly overdue: (period: string, limit: number) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Those of these budgets that the tables have. Does not wait for the tables to follow the journal. */
    readonly budgets: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<CreditBudget>, SqlError>
  }
>()("emporion/bots/CreditsRepository") {
  static readonly layer: Layer.Layer<CreditsRepository, never, SqlClient | Direct> = Layer.effect(
    this,
    Effect.zipWith(SqlClient, Direct, (sql, direct) =>
      CreditsRepository.of({ ...standings(sql), ...histories(sql), budgets: budgets(direct) })
    )
  )
}

interface BudgetRow {
  readonly company_id: string
  readonly bot_id: string
  readonly period: string
  readonly times: number
  readonly budget: bigint
  readonly topped_up: bigint
  readonly event_seq: bigint
}

const budgets = (sql: SqlClient) => (ids: ReadonlyArray<string>) =>
  Effect.map(
    sql<BudgetRow>`
      SELECT company_id, bot_id, period, times, budget, topped_up, event_seq FROM evaluation_credit_budgets
      WHERE id = ANY(${texts(ids)}::text[])`,
    (rows) =>
      rows.map((row): CreditBudget => ({
        companyId: row.company_id,
        botId: row.bot_id,
        period: row.period,
        times: row.times,
        set: fromUnits(row.budget),
        toppedUp: fromUnits(row.topped_up),
        seq: Number(row.event_seq)
      }))
  )

const standings = (sql: SqlClient) => {
  const available = (account: string) =>
    sql`coalesce((SELECT balance - held FROM ledger_accounts WHERE id = ${account}), 0)::text`
  return {
    standing: (companyId: string, botId: string, period: string) =>
      sql<StandingRow>`
        SELECT coalesce((SELECT version FROM event_streams WHERE id = ${creditsStream(companyId)}), 0) AS version,
          (SELECT max(period) FROM evaluation_credit_periods WHERE company_id = ${companyId}) AS granted,
          ${available(creditsOf(companyId, "free"))} AS free,
          ${available(creditsOf(companyId, "paid"))} AS paid,
          coalesce(budget.times, 0) AS times,
          coalesce(budget.budget, 0)::text AS budget,
          ${available(creditBudgetOf(botId, period))} AS budget_left,
          coalesce(budget.topped_up, 0)::text AS topped_up
        FROM (SELECT 1) AS one
        LEFT JOIN evaluation_credit_budgets AS budget ON budget.id = ${`${botId}/${period}`}`.pipe(
        unavailableOrDie,
        Effect.map(([row]) => ({
          credits: {
            version: row?.version ?? 0,
            granted: row?.granted ?? null,
            free: units(row?.free ?? "0"),
            paid: units(row?.paid ?? "0")
          },
          budget: {
            times: row?.times ?? 0,
            set: units(row?.budget ?? "0"),
            left: units(row?.budget_left ?? "0"),
            toppedUp: units(row?.topped_up ?? "0")
          }
        }))
      ),
    available: (account: AccountId) =>
      sql<{ readonly amount: string }>`SELECT ${available(account)} AS amount`.pipe(
        unavailableOrDie,
        Effect.map(([row]) => units(row?.amount ?? "0"))
      ),
    bot: (botId: string) =>
      sql<BotRow>`
        SELECT bot.id, bot.company_id, bot.user_id, bot.credit_budget, bot.auto_top_up, bot.status,
          coalesce(stream.version, 0) AS version
        FROM bots AS bot LEFT JOIN event_streams AS stream ON stream.id = ${botStream("")} || bot.id
        WHERE bot.id = ${botId}`.pipe(
        unavailableOrDie,
        Effect.map(([row]): Buyer | undefined =>
          row === undefined
            ? undefined
            : {
                botId: row.id,
                companyId: row.company_id,
                userId: row.user_id,
                creditBudget: fromUnits(row.credit_budget),
                autoTopUp: row.auto_top_up,
                version: row.version,
                isTerminated: row.status === "terminated"
              }
        )
      ),
    overdue: (period: string, limit: number) =>
      sql<{ readonly company_id: string }>`
        SELECT last.company_id
        FROM (SELECT company_id, max(period) AS period FROM evaluation_credit_periods GROUP BY company_id) AS last
        JOIN ledger_accounts AS account ON account.id = last.company_id || '/CREDITS/credits_free'
        WHERE last.period < ${period} AND account.balance > 0
        ORDER BY last.period, last.company_id LIMIT ${limit}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(({ company_id }) => company_id))
      )
  }
}

const histories = (sql: SqlClient) => {
  const sums = sql`
    coalesce(-sum(free) FILTER (WHERE kind = 'charge'), 0)::text AS free,
    coalesce(-sum(paid) FILTER (WHERE kind = 'charge'), 0)::text AS paid,
    count(*) FILTER (WHERE kind = 'charge') AS evaluations,
    coalesce(sum(paid) FILTER (WHERE kind = 'topup'), 0)::text AS bought,
    coalesce(sum(usd), 0)::text AS usd,
    max(at) FILTER (WHERE kind = 'charge') AS last_at`
  return {
    uses: Effect.fnUntraced(function* (botId: string, period: string) {
      const none = { free: "0", paid: "0", evaluations: 0n, bought: "0", usd: "0", last_at: null }
      const [total = none] = yield* sql<UseRow>`
        SELECT ${sums} FROM evaluation_credit_movements WHERE bot_id = ${botId}`
      const [month = none] = yield* sql<UseRow>`
        SELECT ${sums} FROM evaluation_credit_movements WHERE bot_id = ${botId} AND period = ${period}`
      const lastAt = total.last_at === null ? null : Number(total.last_at)
      return { period: toUse(month), total: toUse(total), lastAt }
    }, unavailableOrDie),
    usedBy: (companyId: string) =>
      sql<{ readonly bot_id: string; readonly used: string }>`
        SELECT budget.bot_id, sum(budget.budget - account.balance)::text AS used
        FROM evaluation_credit_budgets AS budget JOIN ledger_accounts AS account ON account.id = budget.account
        WHERE budget.company_id = ${companyId} GROUP BY budget.bot_id`.pipe(
        unavailableOrDie,
        Effect.map((rows): ReadonlyMap<string, Amount> => new Map(rows.map((row) => [row.bot_id, units(row.used)])))
      ),
    movements: Effect.fnUntraced(function* (of: MovementsOf, page: Page) {
      const listed: Keyset.Listed<MovementRow> = {
        select: sql`SELECT * FROM evaluation_credit_movements`,
        from: sql`evaluation_credit_movements`,
        scope: "botId" in of ? sql`bot_id = ${of.botId}` : sql`company_id = ${of.companyId}`,
        order: [{ column: "event_seq", descending: true }],
        id: "event_seq",
        isNumber: true,
        idOf: (row) => String(row.event_seq)
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { movements: rows.map(toMovement), total, next }
    }, unavailableOrDie)
  }
}
