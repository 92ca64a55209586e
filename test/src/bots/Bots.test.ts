import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { BotKeeper } from "../../../src/bots/BotKeeper.ts"
import type { User } from "../../../src/identity/User.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const PATH = "/api/arena/machine-traders"

const BODY = {
  name: "Scalper",
  capabilities: ["fx", "gpu"],
  strategy: { riskPreset: "balanced", maxCollateralPerTrade: 50 },
  collateral_amount: 100,
  credit_budget: 500,
  auto_topup_enabled: true
}

interface Bot {
  readonly bot_id: string
  readonly status: string
  readonly suspension_reason: string | null
  readonly collateral_amount: number
  readonly collateral_available: number
  readonly net_funded: number
  readonly loss_limit: number
  readonly loss_remaining: number
  readonly [field: string]: unknown
}

interface Answer {
  readonly success: boolean
  readonly code?: string
  readonly message: string
  readonly bot: Bot
}

let wallets = 0

const wallet = (): string => {
  wallets += 1
  return `0x${String(wallets).padStart(40, "b")}`
}

const planned = (server: TestServer, { companyId }: User, plan: string) =>
  Effect.flatMap(server.admin, (as) => server.request("PUT", `/v1/companies/${companyId}/plan`, { plan }, { as }))

/** A user on a plan, with a wallet and 1,000 USD. */
const owner = (server: TestServer, plan = "pro") =>
  Effect.gen(function* () {
    const user = yield* server.user(wallet())
    yield* planned(server, user, plan)
    yield* server.mint(user.id, usd("1000"))
    return user
  })

const create = (server: TestServer, { id }: User, body: object = {}, key?: string) =>
  server.post<Answer>(PATH, { ...BODY, ...body }, { as: id, key })

const made = (server: TestServer, user: User, body: object = {}) =>
  Effect.map(create(server, user, body), ({ json }) => json.bot.bot_id)

const ask = (server: TestServer, { id }: User, bot: string, act: string, body: unknown = undefined, key?: string) =>
  server.post<Answer>(`${PATH}/${bot}/${act}`, body, { as: id, key })

const dollars = (server: TestServer, { id }: User) =>
  Effect.map(server.get<ReadonlyArray<{ readonly symbol: string }>>("/v1/funds", id), ({ json }) =>
    Number(json[0]?.symbol ?? 0)
  )

describe("Bots", () => {
  it("are made of what the owner gives, and told of", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const { json, status } = yield* create(server, user)
      expect([status, json.success]).toEqual([200, true])
      expect(json.bot).toMatchObject({
        name: "Scalper",
        owner_id: user.companyId,
        user_id: user.id,
        capabilities: ["fx", "gpu"],
        strategy: { riskPreset: "balanced", riskLevel: 0.5, maxLossPct: 10, minRoiPct: 5, maxCollateralPerTrade: 50 },
        status: "inactive",
        suspension_reason: null,
        collateral_amount: 100,
        collateral_locked: 0,
        collateral_available: 100,
        net_funded: 100,
        loss_limit: 10,
        loss_remaining: 10,
        credit_budget: 500,
        auto_topup_enabled: true
      })
      expect(yield* dollars(server, user)).toBe(900)
      const performance = { profit_loss: 0, win_rate: 0, credits_used: 0, total_commitments: 0, commitments_won: 0 }
      const one = yield* server.get<Answer>(`${PATH}/${json.bot.bot_id}`, user.id)
      expect(one.json.bot).toEqual({ ...json.bot, ...performance })
      const all = yield* server.get<{ readonly bots: ReadonlyArray<Bot>; readonly total: number }>(PATH, user.id)
      expect([all.json.bots, all.json.total]).toEqual([[one.json.bot], 1])
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      void BotKeeper
      void ask
      void made
    }))
})
