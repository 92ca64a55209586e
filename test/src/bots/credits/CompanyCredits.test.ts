import type { CompanyPlan } from "../../../../engine/company/CompanyEvent.ts"
import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Result } from "effect"
import { AUTO_TOP_UP, periodOf, priceOf } from "../../../../engine/bots/EvaluationCredits.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../../engine/money/Amount.ts"
import { CompanyCredits } from "../../../../src/bots/credits/CompanyCredits.ts"
import type { Payer } from "../../../../engine/bots/Charging.ts"
import type { User } from "../../../../src/identity/users/User.ts"
import { makeBot } from "../../../lib/CreditsFixture.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../../lib/RecordedState.ts"
import { TestServer } from "../../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

const DAY = 86_400_000

const companyCredits = Effect.map(Server, (server) => server.service(CompanyCredits))

/** A user of a company with a plan and so many cents. */
const customer = Effect.fnUntraced(function* (plan: CompanyPlan, cents = 0) {
  const server = yield* Server
  const user = yield* server.user()
  if (plan !== "standard") yield* setPlan(user, plan)
  if (cents > 0) yield* server.mint(user.id, priceOf(credits(cents)))
  return user
})

const setPlan = Effect.fnUntraced(function* ({ companyId }: User, plan: CompanyPlan) {
  const server = yield* Server
  const as = yield* server.admin
  const { status } = yield* server.request("PUT", `/v1/companies/${companyId}/plan`, { plan }, { as })
  expect(status).toBe(200)
})

const botOf = (user: User, name: string, budget = 1_000, autoTopUp = false): Payer => ({
  botId: `bot_${name.padEnd(24, "0")}`,
  companyId: user.companyId,
  userId: user.id,
  creditBudget: credits(budget),
  autoTopUp
})

/** Prepares a charge of now. */
const prepare = Effect.fnUntraced(function* (bot: Payer, chargeId = "1") {
  return yield* (yield* companyCredits).prepare(bot, chargeId, (yield* Server).world.now)
})

const owner = (user: User) => ({ companyId: user.companyId, userId: user.id })

const keepNothing = () => undefined

describe("CompanyCredits", () => {
  it("gives what the plan gives, once a month, whatever becomes of the plan", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { balance, movements, turn } = yield* companyCredits
      const user = yield* customer("standard")
      expect(yield* balance(owner(user))).toMatchObject({ plan: "standard", free: ZERO, paid: ZERO })
      yield* setPlan(user, "pro")
      const given = yield* Effect.all(
        Array.from({ length: 8 }, () => balance(owner(user))),
        { concurrency: "unbounded" }
      )
      expect(given.map(({ free }) => free)).toEqual(given.map(() => credits(5_000)))
      yield* setPlan(user, "enterprise")
      expect(yield* balance(owner(user))).toMatchObject({ plan: "enterprise", free: credits(5_000) })
      server.world.now = Date.UTC(2026, 9, 1) - 1
      expect(yield* balance(owner(user))).toMatchObject({ free: credits(5_000), periodEnd: Date.UTC(2026, 9, 1) })
      server.world.now += 1
      expect(yield* balance(owner(user))).toMatchObject({ free: credits(50_000), periodEnd: Date.UTC(2026, 10, 1) })
      yield* setPlan(user, "standard")
      server.world.pass(31 * DAY)
      expect(yield* turn).toBeGreaterThanOrEqual(1)
      expect(yield* turn).toBe(0)
      expect(yield* balance(owner(user))).toMatchObject({ free: ZERO })
      const { movements: told } = yield* movements({ companyId: user.companyId }, { limit: 10, offset: 0 })
      expect(told.map(({ free, kind, period }) => [kind, period, free])).toEqual([
        ["lapse", "2026-10", credits(-50_000)],
        ["grant", "2026-10", credits(50_000)],
        ["lapse", "2026-09", credits(-5_000)],
        ["grant", "2026-09", credits(5_000)]
      ])
    }))

  it("sells credits for whole cents of the user's USD", () =>
    Effect.gen(function* () {
      const { balance, topUp } = yield* companyCredits
      const user = yield* customer("standard", 500)
      const bot = yield* makeBot(yield* Server, user)
      const bought = yield* topUp(bot, priceOf(credits(300)), keepNothing)
      expect(bought).toMatchObject({
        free: ZERO,
        paid: credits(300),
        event: { credits: credits(300), automatic: false }
      })
      expect(yield* balance(owner(user))).toMatchObject({ paid: credits(300) })
      const refused = [ZERO, fromUnits(1n), fromUnits(10_001n), credits(1_000_001)]
      for (const usd of refused) {
        expect(yield* Effect.flip(topUp(bot, usd, keepNothing))).toMatchObject({ _tag: "NotWholeCents" })
      }
      expect(yield* Effect.flip(topUp(bot, priceOf(credits(201)), keepNothing))).toMatchObject({
        _tag: "UsdMissing",
        available: priceOf(credits(200)),
        needed: priceOf(credits(201))
      })
    }))

  it("buys by itself when none are left, once, within the bot's budget", () =>
    Effect.gen(function* () {
      const { balance, goneFor } = yield* companyCredits
      const user = yield* customer("standard", 10_000)
      const plain = botOf(user, "plain")
      expect(yield* goneFor(plain)).toMatchObject({ cause: "credits" })
      expect(yield* prepare(plain)).toMatchObject({ failure: { cause: "credits" } })
      const small = botOf(user, "small", 7, true)
      expect(yield* goneFor(small)).toBeUndefined()
      const prepared = yield* Effect.all(
        Array.from({ length: 6 }, () => prepare(small)),
        { concurrency: "unbounded" }
      )
      const period = periodOf((yield* Server).world.now)
      for (const each of prepared) {
        expect(each).toMatchObject({ success: { charge: { free: ZERO, paid: credits(1), period } } })
      }
      expect(yield* balance(owner(user))).toMatchObject({ paid: credits(7) })
      const other = yield* customer("standard", 10_000)
      yield* prepare(botOf(other, "large", 1_000_000, true))
      expect(yield* balance(owner(other))).toMatchObject({ paid: AUTO_TOP_UP })
    }))

  it("buys nothing for a bot that is another than was known", () =>
    Effect.gen(function* () {
      const { balance } = yield* companyCredits
      const user = yield* customer("standard", 10_000)
      const bot = botOf(user, "outdated", 7, true)
      const failed = yield* Effect.result(prepare({ ...bot, version: 1 }))
      expect(Result.isFailure(failed) && failed.failure).toMatchObject({ _tag: "StaleVersion", actual: 0 })
      expect(yield* balance(owner(user))).toMatchObject({ paid: ZERO })
      expect(Result.isSuccess(yield* prepare({ ...bot, version: 0 }))).toBe(true)
    }))

  it("says that the USD do not reach", () =>
    Effect.gen(function* () {
      const { goneFor } = yield* companyCredits
      const bot = botOf(yield* customer("standard", 499), "poor", 1_000, true)
      expect(yield* goneFor(bot)).toMatchObject({ cause: "usd" })
      expect(yield* prepare(bot)).toMatchObject({ failure: { cause: "usd" } })
    }))

  it("follows a budget that the owner changes", () =>
    Effect.gen(function* () {
      const { stats } = yield* companyCredits
      const user = yield* customer("pro")
      const bot = botOf(user, "changed", 3)
      expect(Result.isSuccess(yield* prepare(bot))).toBe(true)
      expect(yield* stats(bot)).toMatchObject({ left: credits(3), toppedUp: ZERO, lastAt: null })
      expect(yield* prepare({ ...bot, creditBudget: ZERO })).toMatchObject({ failure: { cause: "budget" } })
      expect(Result.isSuccess(yield* prepare({ ...bot, creditBudget: credits(9) }))).toBe(true)
    }))

  it("lets all bots of a company begin a month at once", () =>
    Effect.gen(function* () {
      const user = yield* customer("enterprise", 10)
      const { topUp } = yield* companyCredits
      const server = yield* Server
      const bots = yield* Effect.forEach(Array.from({ length: 50 }), () => makeBot(server, user, 10))
      const prepared = yield* Effect.forEach(
        bots,
        (bot, index) =>
          index % 10 === 0 ? Effect.andThen(topUp(bot, priceOf(credits(1)), keepNothing), prepare(bot)) : prepare(bot),
        { concurrency: "unbounded" }
      )
      for (const each of prepared) expect(each).toMatchObject({ success: { charge: { free: credits(1), paid: ZERO } } })
    }))

  it("leaves nothing that its events do not say", () =>
    Effect.gen(function* () {
      expect(yield* replayFindings(yield* Server)).toEqual(NO_FINDINGS)
    }))
})
