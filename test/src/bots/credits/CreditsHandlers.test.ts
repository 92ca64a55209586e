import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isoUtc } from "../../../../src/api/Timestamp.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { credits, decideOnce, makeBot } from "../../../lib/CreditsFixture.ts"
import { NO_FINDINGS, replayFindings } from "../../../lib/RecordedState.ts"
import { TestServer } from "../../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const BASE = "/api/arena/machine-traders"

/** A user with 10 USD, on a plan, and a bot of its company that may use 20 credits a month. */
const owner = Effect.fnUntraced(function* (plan = "pro") {
  const server = yield* Server
  const user = yield* server.user()
  yield* server.mint(user.id, credits(10))
  const as = yield* server.admin
  yield* server.request("PUT", `/v1/companies/${user.companyId}/plan`, { plan }, { as })
  return { user, bot: yield* makeBot(server, user, 20) }
})

interface Orders {
  readonly orders: ReadonlyArray<{ readonly order_id: string }>
}

interface Balance {
  readonly balance: { readonly paid_balance: number }
}

interface Evaluated {
  readonly credits_charged: number
}

const ends = { period_end: "2026-10-01T00:00:00.000Z", currency: "CREDITS" }

describe("The credits of bots", () => {
  it("are told with what the plan gives, and what they cost", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { user } = yield* owner()
      const { json, status } = yield* server.get(`${BASE}/credits/balance`, user.id)
      expect(status).toBe(200)
      expect(json).toEqual({
        success: true,
        plan: "pro",
        balance: { free_balance: 5_000, paid_balance: 0, ...ends },
        monthly_grant: 5_000,
        credit_unit_usd: 0.01,
        credits_per_dollar: 100
      })
      const rates = yield* server.get(`${BASE}/credits/rates`, user.id)
      expect(rates.json).toMatchObject({ evaluation_price: 1, auto_topup_credits: 500, min_topup_usd: 0.01 })
    }))

  it("are bought once for each Idempotency-Key, and a retry is answered alike", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { bot, user } = yield* owner("standard")
      const path = `${BASE}/${bot.botId}/topup`
      const buy = (key: string) => server.post(path, { dollar_amount: 2.5 }, { as: user.id, key })
      const first = yield* buy("one")
      expect(first.json).toMatchObject({
        success: true,
        bot_id: bot.botId,
        dollar_amount: 2.5,
        credits_purchased: 250,
        balance: { free_balance: 0, paid_balance: 250, ...ends }
      })
      expect((yield* buy("one")).json).toEqual(first.json)
      expect((yield* buy("two")).json).toMatchObject({ balance: { paid_balance: 500 } })
      const funds = yield* server.get<ReadonlyArray<{ readonly symbol: string }>>("/v1/funds", user.id)
      expect(funds.json[0]?.symbol).toBe("5")
      const refused = [
        [0.001, "whole cents"],
        [1_000_000.01, "whole cents"],
        [5.01, "add funds"]
      ] as const
      for (const [dollar_amount, said] of refused) {
        const { json, status } = yield* server.post(path, { dollar_amount }, { as: user.id })
        expect([status, json]).toMatchObject([
          422,
          { success: false, code: "unprocessable", message: expect.stringContaining(said) }
        ])
      }
    }))

  it("are sold for no terminated bot, whatever came at the same time", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { bot, user } = yield* owner("standard")
      const path = `${BASE}/${bot.botId}`
      const buy = (key: string) => server.post(`${path}/topup`, { dollar_amount: 0.1 }, { as: user.id, key })
      const first = yield* buy("before")
      expect(first.status).toBe(200)
      const keys = Array.from({ length: 20 }, (_, index) => `race_${index}`)
      const [answers] = yield* Effect.all(
        [
          Effect.forEach(keys, buy, { concurrency: "unbounded" }),
          server.post(`${path}/terminate`, {}, { as: user.id })
        ],
        { concurrency: "unbounded" }
      )
      const refused = yield* buy("after")
      expect([refused.status, refused.json]).toMatchObject([
        409,
        { code: "conflict", message: `The bot ${bot.botId} is terminated: make another one.` }
      ])
      expect((yield* buy("before")).json).toEqual(first.json)
      const bought = answers.filter(({ status }) => status === 200).length
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
      const seqs = yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) =>
            sql<{ readonly type: string; readonly seq: bigint }>`
            SELECT type, seq FROM events
            WHERE stream = ${`bot/${bot.botId}`} AND type = 'BotTerminated'
              OR type = 'CreditsBought' AND data LIKE ${`%${bot.botId}%`} ORDER BY seq`
        )
      )
      expect(seqs.map(({ type }) => type)).toEqual([
        ...Array.from({ length: bought + 1 }, () => "CreditsBought"),
        "BotTerminated"
      ])
    }))

  it("are told of by bot: what it used, may use, and every movement", () =>
    Effect.gen(function* () {
      const server = yield* Server
      yield* server.tick()
      const { bot, user } = yield* owner()
      const { json: listed } = yield* server.get<Orders>("/api/arena/orders", user.id)
      const orderId = listed.orders[0]?.order_id ?? ""
      for (const id of ["a", "b", "c"]) yield* decideOnce(server, bot, orderId, `dec_${id}`, server.world.now)
      yield* server.post(`${BASE}/${bot.botId}/topup`, { dollar_amount: 1 }, { as: user.id })
      const use = { credits_used: 3, free_credits_used: 3, paid_credits_used: 0, evaluations: 3 }
      const bought = { credits_purchased: 100, usd_spent: 1 }
      const { json: told } = yield* server.get(`${BASE}/${bot.botId}/stats`, user.id)
      expect(told).toMatchObject({
        stats: {
          period: "2026-09",
          credit_budget: 20,
          budget_remaining: 17,
          auto_topped_up: 0,
          this_period: { ...use, ...bought },
          all_time: { ...use, ...bought },
          last_evaluation_at: isoUtc(server.world.now)
        }
      })
      const { json: usage } = yield* server.get(`${BASE}/${bot.botId}/usage?limit=2`, user.id)
      expect(usage).toMatchObject({
        entries: [
          { kind: "topup", free: 0, paid: 100, usd: 1, automatic: false },
          { kind: "charge", free: -1, paid: 0, charge_id: "dec_c" }
        ],
        total: 4,
        balance: { free_balance: 4_997, paid_balance: 100 }
      })
      const { json: all } = yield* server.get(`${BASE}/credits/history`, user.id)
      expect(all).toMatchObject({ total: 5, entries: [{}, {}, {}, {}, { kind: "grant", free: 5_000, bot_id: null }] })
    }))

  it("are taken by evaluations asked for at once up to the bots' budgets, and bought where they run out", () =>
    Effect.gen(function* () {
      const server = yield* Server
      yield* server.tick()
      const { user } = yield* owner("standard")
      const bots = [yield* makeBot(server, user, 12, true), yield* makeBot(server, user, 5, true)]
      const { json: listed } = yield* server.get<Orders>("/api/arena/orders", user.id)
      const body = { order_id: listed.orders[0]?.order_id ?? "" }
      const asked = Array.from({ length: 30 }, (_, index) => bots[index % 2]?.botId ?? "")
      const answers = yield* Effect.forEach(
        asked,
        (botId) => server.post<Evaluated>(`${BASE}/${botId}/evaluate`, body, { as: user.id }),
        { concurrency: "unbounded" }
      )
      const charged = answers.filter(({ status }) => status === 200)
      expect(charged.map(({ json }) => json.credits_charged)).toEqual(charged.map(() => 1))
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(30 - charged.length)
      // Each may buy up to its budget, and the other one may use that.
      expect(charged.length).toBeGreaterThanOrEqual(12)
      expect(charged.length).toBeLessThanOrEqual(17)
      const { json } = yield* server.get<Balance>(`${BASE}/credits/balance`, user.id)
      const funds = yield* server.get<ReadonlyArray<{ readonly symbol: string }>>("/v1/funds", user.id)
      const bought = charged.length + json.balance.paid_balance
      expect(funds.json[0]?.symbol).toBe(`${(1_000 - bought) / 100}`)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("are nobody else's, whether there is such a bot or not", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { bot } = yield* owner()
      const { user: stranger } = yield* owner()
      for (const botId of [bot.botId, "bot_000000000000000000000000"]) {
        const path = `${BASE}/${botId}`
        const asked = [
          yield* server.get(`${path}/stats`, stranger.id),
          yield* server.get(`${path}/usage`, stranger.id),
          yield* server.post(`${path}/topup`, { dollar_amount: 1 }, { as: stranger.id })
        ]
        const refusal = { success: false, code: "access_denied", message: `You own no bot ${botId}.` }
        expect(asked.map(({ json, status }) => [status, json])).toEqual(asked.map(() => [403, refusal]))
      }
    }))
})
