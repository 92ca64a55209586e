import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Result } from "effect"
import { botGuardStream } from "../../../engine/bots/BotEvent.ts"
import { pauseActive } from "../../../engine/bots/BotPausing.ts"
import { BotReconciler } from "../../../src/bots/BotReconciler.ts"
import { BotRepository } from "../../../src/bots/BotRepository.ts"
import { botStore } from "../../../src/bots/BotStore.ts"
import { ask, type Bot, made, owner, PATH, type Paused, planned } from "../../lib/BotOwner.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

describe("BotReconciler", () => {
  it("suspends bots beyond a smaller plan, the newest first, which resume once there is room", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server, "enterprise")
      const bots: Array<string> = []
      for (let count = 0; count < 7; count++) {
        server.world.pass(1_000)
        const bot = yield* made(server, user, { collateral_amount: 1 })
        yield* ask(server, user, bot, "start")
        bots.push(bot)
      }
      yield* planned(server, user, "pro")
      yield* server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
      const { json } = yield* server.get<{ readonly bots: ReadonlyArray<Bot> }>(PATH, user.id)
      expect(json.bots.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 5 }, () => "active"),
        "suspended",
        "suspended"
      ])
      expect(json.bots[6]?.suspension_reason).toBe("plan_downgraded")
      expect((yield* ask(server, user, bots[6] ?? "", "resume")).status).toBe(409)
      yield* ask(server, user, bots[0] ?? "", "pause")
      expect((yield* ask(server, user, bots[6] ?? "", "resume")).json.bot.status).toBe("active")
      expect((yield* ask(server, user, bots[0] ?? "", "resume")).json.code).toBe("bot_limit_reached")
    }))

  it("leaves no more active than a smaller plan has, whatever is started meanwhile", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server, "enterprise")
      const bots = yield* Effect.forEach(Array.from({ length: 6 }), () => made(server, user, { collateral_amount: 1 }))
      const last = bots.at(-1) ?? ""
      for (const bot of bots.slice(0, 5)) yield* ask(server, user, bot, "start")
      const downgraded = Effect.andThen(
        planned(server, user, "pro"),
        server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
      )
      for (const act of ["start", "resume", "resume", "resume"]) {
        yield* Effect.all([ask(server, user, last, act), downgraded], { concurrency: "unbounded" })
        const { json } = yield* server.get<{ readonly bots: ReadonlyArray<Bot> }>(PATH, user.id)
        expect(json.bots.filter(({ status }) => status === "active").length).toBe(5)
        yield* planned(server, user, "enterprise")
        for (const bot of bots.slice(0, 5)) yield* ask(server, user, bot, "resume")
        yield* ask(server, user, last, "resume")
        yield* ask(server, user, last, "pause")
      }
    }))

  it("suspends all bots of a company that an administrator withdraws them from, until they are given back", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server, "enterprise")
      const as = yield* server.admin
      const allow = (machine_trader: boolean) =>
        server.request("PUT", `/v1/companies/${user.companyId}/entitlements`, { machine_trader }, { as })
      const bots = yield* Effect.forEach([1, 2], () => made(server, user, { collateral_amount: 1 }))
      const [first = "", second = ""] = bots
      yield* ask(server, user, first, "start")
      expect((yield* allow(false)).json).toMatchObject({
        id: user.companyId,
        plan: "enterprise",
        machine_trader: false
      })
      expect((yield* allow(false)).status).toBe(200)
      yield* server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
      const list = server.get<{ readonly bots: ReadonlyArray<Bot> }>(PATH, user.id)
      expect((yield* list).json.bots.map(({ status }) => status).toSorted()).toEqual(["inactive", "suspended"])
      expect((yield* ask(server, user, first, "resume")).json.code).toBe("entitlement_required")
      expect((yield* ask(server, user, second, "start")).json.code).toBe("entitlement_required")
      expect((yield* allow(true)).json).toMatchObject({ machine_trader: true })
      for (const [bot, act] of [
        [first, "resume"],
        [second, "start"]
      ] as const) {
        expect((yield* ask(server, user, bot, act)).json.bot.status).toBe("active")
      }
      const { json: acts } = yield* server.get(`/v1/audit?subject_id=${user.companyId}&act=company.set_entitlement`, as)
      expect(acts).toMatchObject([{ after: { machine_trader: true } }, { after: { machine_trader: false } }])
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("has no more bots active than the plan has, when all are started at once", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server, "enterprise")
      const bots = yield* Effect.forEach(Array.from({ length: 8 }), () => made(server, user, { collateral_amount: 1 }))
      yield* planned(server, user, "pro")
      const started = yield* Effect.forEach(bots, (bot) => ask(server, user, bot, "start"), {
        concurrency: "unbounded"
      })
      expect(started.filter(({ status }) => status === 200).length).toBe(5)
      expect(started.filter(({ json }) => json.code === "bot_limit_reached").length).toBe(3)
    }))

  it("pauses all of a company's bots when it stays silent", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const user = yield* owner(server)
      const bots = yield* Effect.forEach([1, 2], () => made(server, user, { collateral_amount: 1 }))
      for (const bot of bots) yield* ask(server, user, bot, "start")
      const all = (path: string, body?: object) => server.post<Paused>(`${PATH}/${path}`, body, { as: user.id })
      expect([...(yield* all("pause-all")).json.paused].toSorted()).toEqual(bots.toSorted())
      expect((yield* all("pause-all")).json.paused).toEqual([])
      for (const bot of bots) yield* ask(server, user, bot, "resume")
      const kept = server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
      const statuses = Effect.map(server.get<{ readonly bots: ReadonlyArray<Bot> }>(PATH, user.id), ({ json }) =>
        json.bots.map(({ status }) => status)
      )
      const pausesAt = Effect.map(
        server.get<{ readonly pauses_at: string | null }>(`${PATH}/cancel-after`, user.id),
        ({ json }) => json.pauses_at
      )
      expect(yield* pausesAt).toBeNull()
      yield* all("cancel-after", { timeout_seconds: 60 })
      expect(Date.parse((yield* pausesAt) ?? "")).toBe(server.world.now + 60_000)
      server.world.pass(59_000)
      yield* kept
      yield* all("cancel-after", { timeout_seconds: 60 })
      server.world.pass(59_000)
      yield* kept
      expect(yield* statuses).toEqual(["active", "active"])
      server.world.pass(1_000)
      yield* kept
      expect(yield* statuses).toEqual(["paused", "paused"])
      expect(yield* pausesAt).toBeNull()
      for (const bot of bots) yield* ask(server, user, bot, "resume")
      yield* all("cancel-after", { timeout_seconds: 60 })
      // Who looks whether the guard is due saw the one before.
      const stream = botGuardStream(user.companyId)
      const seen = pauseActive(botStore, user.companyId, { by: null, guard: { stream, version: 1 } })
      const late = yield* server.run(Effect.result(Effect.provide(seen, BotRepository.layer)))
      expect(Result.isFailure(late) && late.failure).toMatchObject({ _tag: "GuardReplaced", stream })
      expect(yield* statuses).toEqual(["active", "active"])
      expect((yield* all("cancel-after", { timeout_seconds: 0 })).json).toMatchObject({ pauses_at: null })
      server.world.pass(100_000)
      yield* kept
      expect(yield* statuses).toEqual(["active", "active"])
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
