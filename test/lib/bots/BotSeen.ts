import { Effect } from "effect"
import { numberUnits } from "../platform/PlatformScenario.ts"
import type { TestServer } from "../TestServer.ts"

export const BASE = "/api/arena/machine-traders"

/** What can be read of one bot. Amounts are in 10⁻⁶ USD. */
export interface BotSeen {
  readonly id: string
  readonly status: string
  readonly collateral: bigint
  readonly free: bigint
  readonly limit: bigint
  readonly lossLeft: bigint
  readonly profit: bigint
  readonly commitments: number
  readonly budget: number
  readonly budgetLeft: number
  /** Decisions that were made by itself and asked for, each paid with a credit. */
  readonly decisions: number
  readonly used: number
}

/** What can be read of a company: its user's USD, its credits and its bots. */
export interface CompanySeen {
  readonly usd: bigint
  readonly free: number
  readonly paid: number
  readonly bots: ReadonlyArray<BotSeen>
}

interface BotJson {
  readonly bot_id: string
  readonly status: string
  readonly collateral_amount: number
  readonly collateral_available: number
  readonly loss_limit: number
  readonly loss_remaining: number
  readonly profit_loss: number
  readonly total_commitments: number
  readonly credits_used: number
  readonly credit_budget: number
}

interface StatsJson {
  readonly stats: { readonly budget_remaining: number }
}

const signed = (value: number): bigint => (value < 0 ? -numberUnits(-value) : numberUnits(value))

const seenBot = Effect.fnUntraced(function* (server: TestServer, userId: string, id: string) {
  const { json } = yield* server.get<{ readonly bot: BotJson }>(`${BASE}/${id}`, userId)
  const { json: stats } = yield* server.get<StatsJson>(`${BASE}/${id}/stats`, userId)
  const { json: decisions } = yield* server.get<{ readonly total: number }>(`${BASE}/${id}/decisions?limit=1`, userId)
  const { bot } = json
  return {
    id,
    status: bot.status,
    collateral: numberUnits(bot.collateral_amount),
    free: numberUnits(bot.collateral_available),
    limit: numberUnits(bot.loss_limit),
    lossLeft: numberUnits(bot.loss_remaining),
    profit: signed(bot.profit_loss),
    commitments: bot.total_commitments,
    budget: bot.credit_budget,
    budgetLeft: stats.stats.budget_remaining,
    decisions: decisions.total,
    used: bot.credits_used
  } satisfies BotSeen
})

interface FundJson {
  readonly type: string
  readonly symbol: string
}

interface BalanceJson {
  readonly balance: { readonly free_balance: number; readonly paid_balance: number }
}

/** Reads everything. */
export const seen = Effect.fnUntraced(function* (server: TestServer, userId: string, botIds: ReadonlyArray<string>) {
  const { json: funds } = yield* server.get<ReadonlyArray<FundJson>>("/v1/funds", userId)
  const { json: credits } = yield* server.get<BalanceJson>(`${BASE}/credits/balance`, userId)
  const bots = yield* Effect.forEach(botIds, (id) => seenBot(server, userId, id))
  const { free_balance: free, paid_balance: paid } = credits.balance
  const usd = numberUnits(Number(funds.find(({ type }) => type === "USD")?.symbol ?? "0"))
  return { usd, free, paid, bots } satisfies CompanySeen
})
