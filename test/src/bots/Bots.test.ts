import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { BotRepository } from "../../../src/bots/BotRepository.ts"
import { BotReconciler } from "../../../src/bots/BotReconciler.ts"
import type { User } from "../../../src/identity/users/User.ts"
import {
  type Answer,
  ask,
  BODY,
  type Bot,
  create,
  dollars,
  made,
  type Order,
  owner,
  PATH,
  planned,
  wallet
} from "../../lib/BotOwner.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

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
    }))

  it("take the plan, the entitlement, a wallet and a strategy that can be followed", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const poor = yield* server.user(wallet())
      const refused = (user: User, body: object = {}) =>
        Effect.map(create(server, user, body), ({ json, status }) => [status, json.code])
      expect(yield* refused(poor)).toEqual([403, "plan_required"])
      yield* planned(server, poor, "pro")
      expect(yield* refused(poor)).toEqual([422, "unprocessable"])
      expect(yield* refused(poor, { collateral_amount: 0, strategy: { riskPreset: "custom" } })).toEqual([
        400,
        "invalid_request"
      ])
      const strategy = { riskPreset: "conservative", riskLevel: 1.9, maxCollateralPerTrade: 1 }
      expect(yield* refused(poor, { collateral_amount: 0, strategy })).toEqual([422, "unprocessable"])
      const unlinked = yield* server.user()
      yield* planned(server, unlinked, "pro")
      expect(yield* refused(unlinked)).toEqual([422, "wallet_required"])
      const linked = { wallet_address: wallet() }
      yield* server.request("PUT", "/api/v1/users/me", linked, { as: unlinked.id })
      for (let bots = 0; bots < 5; bots++) yield* made(server, unlinked, { collateral_amount: 0 })
      expect(yield* refused(unlinked, { collateral_amount: 0 })).toEqual([403, "bot_limit_reached"])
      const { json } = yield* server.get<{ readonly bots: ReadonlyArray<Bot> }>(PATH, unlinked.id)
      yield* ask(server, unlinked, json.bots[0]?.bot_id ?? "", "terminate")
      expect(yield* refused(unlinked, { collateral_amount: 0 })).toEqual([200, undefined])
    }))

  it("say what a body must be, of either kind", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const told = (body: unknown) =>
        Effect.map(server.post<Answer>(PATH, body, { as: user.id }), ({ json, status }) => [status, json.message])
      const [none, shapes] = yield* told({})
      expect(none).toBe(400)
      expect(shapes).toContain("agent_id")
      expect(shapes).toContain("name")
      const [twice, differing] = yield* told({ ...BODY, capabilities: ["fx", "fx"] })
      expect(twice).toBe(400)
      expect(differing).toContain("payload.capabilities: Expected asset types that differ")
      const [half, missing] = yield* told({ agent_id: "a", name: "b" })
      expect(half).toBe(400)
      expect(missing).toContain("payload.agent_uri")
    }))

  it("live as their owner says, and stay where they are when asked again", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const bot = yield* made(server, user)
      const moved = (act: string) =>
        Effect.map(ask(server, user, bot, act), ({ json, status }) => [status, json.bot?.status ?? json.code])
      expect(yield* moved("pause")).toEqual([409, "conflict"])
      expect(yield* moved("resume")).toEqual([409, "conflict"])
      expect(yield* moved("start")).toEqual([200, "active"])
      expect(yield* moved("start")).toEqual([200, "active"])
      expect(yield* moved("pause")).toEqual([200, "paused"])
      expect(yield* moved("pause")).toEqual([200, "paused"])
      expect(yield* moved("start")).toEqual([409, "conflict"])
      expect(yield* moved("resume")).toEqual([200, "active"])
      expect(yield* moved("terminate")).toEqual([200, "terminated"])
      expect(yield* moved("terminate")).toEqual([200, "terminated"])
      expect(yield* moved("resume")).toEqual([409, "conflict"])
      expect(yield* dollars(server, user)).toBe(1_000)
      const body = { name: "Late" }
      const late = yield* server.request<Answer>("PATCH", `${PATH}/${bot}`, body, { as: user.id })
      expect([late.status, late.json.code]).toEqual([409, "conflict"])
    }))

  it("tell nobody but their company anything, not even that they are", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const bot = yield* made(server, user)
      const stranger = yield* owner(server)
      const answers = (id: string) =>
        Effect.forEach(["start", "terminate", "fund"], (act) =>
          Effect.map(ask(server, stranger, id, act, act === "fund" ? { amount: 1 } : undefined), ({ json, status }) => [
            status,
            json.message.replace(id, "")
          ])
        )
      const none = `bot_${"0".repeat(24)}`
      expect(yield* answers(bot)).toEqual(yield* answers(none))
      for (const [status] of yield* answers(bot)) expect(status).toBe(403)
      expect((yield* server.get(`${PATH}/${bot}`, yield* server.admin)).status).toBe(403)
      expect((yield* server.get<{ readonly total: number }>(PATH, stranger.id)).json.total).toBe(0)
    }))

  it("move collateral once under one key, and what may be lost with it", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const bot = yield* made(server, user)
      const one = yield* ask(server, user, bot, "fund", { amount: 50.5 }, "fund-1")
      const again = yield* ask(server, user, bot, "fund", { amount: 50.5 }, "fund-1")
      expect(again.json).toEqual(one.json)
      expect(one.json).toMatchObject({ bot_id: bot, amount: 50.5, collateral_amount: 150.5, collateral_locked: 0 })
      expect(yield* dollars(server, user)).toBe(849.5)
      expect((yield* ask(server, user, bot, "withdraw", { amount: 150.6 })).status).toBe(422)
      expect((yield* ask(server, user, bot, "fund", { amount: 900 })).status).toBe(422)
      expect((yield* ask(server, user, bot, "fund", { amount: 0 })).status).toBe(400)
      expect((yield* ask(server, user, bot, "withdraw", { amount: 100 })).json).toMatchObject({
        collateral_amount: 50.5
      })
      const { json } = yield* server.get<Answer>(`${PATH}/${bot}`, user.id)
      expect(json.bot).toMatchObject({ net_funded: 50.5, loss_limit: 5.05, loss_remaining: 5.05 })
      const wider = { strategy: { ...BODY.strategy, riskPreset: "aggressive" } }
      const changed = yield* server.request<Answer>("PATCH", `${PATH}/${bot}`, wider, { as: user.id })
      expect(changed.json.bot).toMatchObject({ loss_limit: 12.625, loss_remaining: 12.625 })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("are told exactly: they take no more collateral than a JSON number tells", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const bot = yield* made(server, user)
      const mint = { owner: user.id, type: "USD", symbol: "8000000000" }
      for (const external_reference of ["wire-1", "wire-2"]) {
        yield* server.post("/v1/funds", { ...mint, external_reference }, { as: yield* server.admin })
      }
      const refused = yield* ask(server, user, bot, "fund", { amount: 7_999_999_900.000001 })
      expect([refused.status, refused.json as unknown]).toEqual([
        422,
        expect.objectContaining({
          code: "unprocessable",
          message:
            "payload.amount: Expected at most the 7999999900 USD that the bot has room for, not 7999999900.000001: its " +
            "collateral and its net_funded are at most 8000000000 USD."
        })
      ])
      expect((yield* ask(server, user, bot, "fund", { amount: 7_999_999_899.999999 })).json).toMatchObject({
        collateral_amount: 7_999_999_999.999999
      })
      expect((yield* ask(server, user, bot, "fund", { amount: 0.000001 })).json).toMatchObject({
        collateral_amount: 8_000_000_000
      })
      expect((yield* ask(server, user, bot, "fund", { amount: 0.000001 })).status).toBe(422)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("commit while they are active alone, by the ledger's own word, and within what they may lose", () =>
    Effect.gen(function* () {
      const server = yield* Server
      yield* server.tick(1_000_000)
      const user = yield* owner(server)
      const bot = yield* made(server, user)
      const { json } = yield* server.get<{ readonly orders: ReadonlyArray<Order> }>(
        "/api/arena/orders?asset_type=fx&status=open",
        user.id
      )
      const order = json.orders[0]
      const price = order?.entry_price ?? 0
      const commit = (collateral: number, by = user) =>
        Effect.map(
          server.post<Answer>(
            "/api/arena/commitments",
            {
              order_id: order?.order_id,
              proposed_entry_price: price,
              expected_exit_price: Number((price * 1.05).toFixed(4)),
              quantity: Number((collateral / 0.0381 / price).toFixed(6)),
              bot_id: bot
            },
            { as: by.id }
          ),
          ({ json: answer, status }) => [status, answer.code]
        )
      expect(yield* commit(2)).toEqual([403, "ARENA_006"])
      yield* ask(server, user, bot, "start")
      expect(yield* commit(2)).toEqual([200, undefined])
      expect(yield* commit(2, yield* owner(server))).toEqual([403, "ARENA_006"])
      expect(yield* commit(9)).toEqual([422, "loss_limit"])
      const locked = (yield* server.get<Answer>(`${PATH}/${bot}`, user.id)).json.bot
      expect(locked.collateral_available).toBeCloseTo(98, 3)
      expect((yield* ask(server, user, bot, "withdraw", { amount: 97 })).status).toBe(409)
      yield* ask(server, user, bot, "pause")
      expect(yield* commit(2)).toEqual([403, "ARENA_006"])
      yield* server.restart()
      expect(yield* commit(2)).toEqual([403, "ARENA_006"])
      yield* ask(server, user, bot, "resume")
      yield* server.restart()
      expect(yield* commit(2)).toEqual([200, undefined])
      const mine = yield* server.get<{ readonly commitments: ReadonlyArray<Bot> }>(
        `${PATH}/${bot}/commitments`,
        user.id
      )
      expect(mine.json.commitments.map(({ bot_id }) => bot_id)).toEqual([bot, bot])
      yield* ask(server, user, bot, "terminate")
      expect(yield* dollars(server, user)).toBeCloseTo(996, 3)
      const known = server.run(
        Effect.flatMap(BotRepository, (bots) => Effect.all([bots.living, bots.owed])).pipe(
          Effect.provide(BotRepository.layer)
        )
      )
      expect((yield* known).map((ids) => ids.includes(bot))).toEqual([false, false])
      for (let slot = 0; slot < 4; slot++) yield* server.tick(900_000)
      expect((yield* known).map((ids) => ids.includes(bot))).toEqual([false, true])
      yield* server.restart()
      yield* server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
      expect((yield* known).map((ids) => ids.includes(bot))).toEqual([false, false])
      const ended = (yield* server.get<Answer>(`${PATH}/${bot}`, user.id)).json.bot
      expect(ended).toMatchObject({
        status: "terminated",
        collateral_amount: 0,
        net_funded: 0,
        loss_limit: 0,
        loss_remaining: 0
      })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("are made 20 at a time without one refused", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server, "enterprise")
      const turn = Effect.gen(function* () {
        const answer = yield* create(server, user, { collateral_amount: 1 })
        if (answer.status === 200) yield* ask(server, user, answer.json.bot.bot_id, "terminate")
        return answer
      })
      const answers = yield* Effect.forEach(Array.from({ length: 60 }), () => turn, { concurrency: 20 })
      expect(answers.filter(({ status }) => status !== 200).map(({ json }) => json.message)).toEqual([])
    }))
})
