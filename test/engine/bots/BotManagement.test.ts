import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import type { BotState } from "../../../engine/bots/Bot.ts"
import { type BotHoldings, fund } from "../../../engine/bots/BotLifeDecision.ts"
import type { BotProfile } from "../../../engine/bots/BotEvent.ts"
import {
  actOnBot,
  changeBot,
  fundBot,
  returnFreed,
  suspendBot,
  withdrawFromBot
} from "../../../engine/bots/BotManagement.ts"
import { found } from "../../../engine/bots/BotRecords.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { RIGHTS, started, storedBots, tagsOf, USER } from "../../lib/StoredBots.ts"

const BOT = "bot_1"

const suspended = (cause: Parameters<typeof suspendBot>[2]) =>
  Effect.gen(function* () {
    const made = yield* storedBots([BOT], usd("100"))
    yield* started(made.store, BOT)
    yield* suspendBot(made.store, BOT, cause)
    return { ...made, read: found(made.store, BOT) }
  })

describe("actOnBot", () => {
  itEffect("answers what it wrote, and nothing where the bot is there already", () =>
    Effect.gen(function* () {
      const { store } = yield* storedBots([BOT], usd("100"))
      expect(yield* started(store, BOT)).toMatchObject({ event: { _tag: "BotStarted" }, bot: { version: 1 } })
      expect(yield* started(store, BOT)).toMatchObject({ event: undefined, bot: { version: 1 } })
      const terminated = yield* actOnBot(store, RIGHTS, found(store, BOT), "terminate", USER)
      expect(terminated.event).toMatchObject({ amount: usd("100") })
      expect(yield* Effect.flip(started(store, BOT))).toMatchObject({ _tag: "IllegalBotAct" })
    })
  )

  itEffect("decides anew where another wrote first", () =>
    Effect.gen(function* () {
      let others = 1
      const { journal, store } = yield* storedBots([BOT], usd("100"), ({ entries: [entry], stream, version }, to) => {
        if (entry?.event._tag !== "BotStarted" || others-- <= 0) return Effect.void
        const event = { _tag: "BotPaused" as const, at: FEBRUARY, by: USER, botId: BOT }
        return Effect.orDie(to.append({ stream, version, entries: [{ commands: [], event }] }))
      })
      expect(yield* Effect.flip(started(store, BOT))).toMatchObject({ _tag: "IllegalBotAct", status: "paused" })
      yield* journal.reached
      expect(tagsOf(journal, BOT)).toEqual(["BotPaused"])
    })
  )

  itEffect("resumes once the cause is gone, by what is free of what it may lose", () =>
    Effect.gen(function* () {
      const { read, store } = yield* suspended("loss_limit")
      const room = yield* store.room(BOT)
      // What is held comes back to it or is lost: none of it is free.
      const spent = { ...store, room: () => Effect.succeed({ ...room, allowance: ZERO, held: usd("10") }) }
      const kept = yield* Effect.flip(actOnBot(spent, RIGHTS, read, "resume", USER))
      expect(kept).toMatchObject({ _tag: "StillSuspended", cause: "loss_limit" })
      expect(yield* actOnBot(store, RIGHTS, read, "resume", USER)).toMatchObject({ event: { _tag: "BotResumed" } })
    })
  )

  for (const [cause, rights] of [
    ["plan_downgraded", { ...RIGHTS, isBeyondPlan: () => Effect.succeed(true) }],
    ["credits_gone", { ...RIGHTS, isWithoutCredits: () => Effect.succeed(true) }],
    ["breaker_open", { ...RIGHTS, halt: () => ({ scope: "global" as const, retryAfterSeconds: 1 }) }]
  ] as const) {
    itEffect(`stays suspended while ${cause} holds`, () =>
      Effect.gen(function* () {
        const { read, store } = yield* suspended(cause)
        expect(yield* Effect.flip(actOnBot(store, rights, read, "resume", USER))).toMatchObject({ cause })
        expect(yield* actOnBot(store, RIGHTS, read, "resume", USER)).toMatchObject({
          bot: { standing: { cause: null } }
        })
      })
    )
  }

  itEffect("writes a start and a resumption on what let the company have one more, and no pause", () =>
    Effect.gen(function* () {
      const { standing, store } = yield* storedBots([BOT], usd("100"))
      const read = found(store, BOT)
      yield* started(store, BOT)
      const rights = { ...RIGHTS, admit: () => Effect.succeed([{ stream: "company/cmp_1", version: 9 }]) }
      yield* actOnBot(store, rights, read, "pause", USER)
      const late = yield* Effect.flip(actOnBot(store, rights, read, "resume", USER))
      expect(late).toMatchObject({ _tag: "StaleVersion", stream: "company/cmp_1" })
      expect(standing(BOT)?.status).toBe("paused")
    })
  )
})

describe("fundBot and withdrawFromBot", () => {
  itEffect("move money once under a key", () =>
    Effect.gen(function* () {
      const { journal, store } = yield* storedBots([BOT], usd("100"))
      const movement = { amount: usd("7"), by: USER, idempotency: { key: "k", fingerprint: "k" } }
      expect((yield* fundBot(store, found(store, BOT), movement)).event).toMatchObject({ amount: usd("7") })
      yield* Effect.flip(fundBot(store, found(store, BOT), movement))
      const back = { amount: usd("4"), by: USER }
      expect((yield* withdrawFromBot(store, found(store, BOT), back)).event).toMatchObject({ _tag: "BotWithdrawn" })
      expect(journal.account(walletOf(BOT, "USD")).balance).toBe(usd("103"))
    })
  )

  itEffect("take no more than a JSON number tells exactly, of collateral and of what it was funded with", () =>
    Effect.gen(function* () {
      const { store } = yield* storedBots([BOT], usd("100"))
      const refused = (amount: Amount, holdings: Partial<BotHoldings> = {}) => {
        const room = (botId: string) => Effect.map(store.room(botId), (given) => ({ ...given, ...holdings }))
        return Effect.flip(fundBot({ ...store, room }, found(store, BOT), { amount, by: USER }))
      }
      expect(yield* refused(usd("7999999900.000001"))).toMatchObject({ _tag: "BotFull", room: usd("7999999900") })
      const won = yield* refused(usd("2"), { balance: usd("7999999999") })
      expect(won).toMatchObject({ _tag: "BotFull", room: usd("1") })
      expect(yield* refused(usd("1"), { balance: fromUnits(9_000_000_000_000_000n) })).toMatchObject({ room: ZERO })
      // What was recorded before there was this bound is decided as it was.
      const state = yield* found(store, BOT)
      expect(Result.isSuccess(fund(state, usd("7999999999"), { at: FEBRUARY, by: USER }))).toBe(true)
    })
  )

  itEffect("take no more than is free once somebody else took some", () =>
    Effect.gen(function* () {
      const { store } = yield* storedBots([BOT], usd("100"))
      let looks = 0
      const full = yield* store.room(BOT)
      // The first look was before another took some of it.
      const seen = {
        ...store,
        room: () => (looks++ === 0 ? Effect.succeed({ ...full, collateral: usd("500") }) : store.room(BOT))
      }
      const much = { amount: usd("200"), by: USER }
      const refused = yield* Effect.flip(withdrawFromBot(seen, found(store, BOT), much))
      expect(refused).toMatchObject({ _tag: "CollateralNotFree", free: usd("100") })
    })
  )
})

describe("changeBot", () => {
  itEffect("writes a profile that is another, and leaves one that is the same", () =>
    Effect.gen(function* () {
      const { journal, store } = yield* storedBots([BOT], usd("100"))
      const to = (of: Partial<BotProfile>) =>
        changeBot(store, found(store, BOT), ({ profile }) => Effect.succeed({ ...profile, ...of }), USER)
      expect((yield* to({})).event).toBeUndefined()
      expect((yield* to({ name: "Two" })).bot.profile.name).toBe("Two")
      yield* to({ name: "Two" })
      yield* journal.reached
      expect(tagsOf(journal, BOT)).toEqual(["BotChanged"])
    })
  )
})

describe("suspendBot and returnFreed", () => {
  itEffect("suspend for a module that failed where the bot still has that one", () =>
    Effect.gen(function* () {
      const { store } = yield* storedBots([BOT], usd("100"))
      yield* started(store, BOT)
      const named = ({ profile }: BotState) => Effect.succeed({ ...profile, strategyModule: "my.ts" })
      yield* changeBot(store, found(store, BOT), named, USER)
      const failed = (module: string) => suspendBot(store, BOT, "module_failed", { module, failure: "no luck" })
      expect((yield* failed("other.ts")).event).toBeUndefined()
      expect((yield* failed("my.ts")).event).toMatchObject({ _tag: "BotSuspended", failure: "no luck" })
    })
  )

  itEffect("leave a bot that is not active, or not terminated", () =>
    Effect.gen(function* () {
      const { journal, store } = yield* storedBots([BOT], usd("100"))
      expect((yield* suspendBot(store, BOT, "plan_downgraded")).event).toBeUndefined()
      expect((yield* returnFreed(store, BOT)).event).toBeUndefined()
      yield* actOnBot(store, RIGHTS, found(store, BOT), "terminate", USER)
      expect((yield* returnFreed(store, BOT)).event).toBeUndefined()
      const bot = yield* found(store, BOT)
      const { commands } = yield* Effect.fromResult(
        fund({ ...bot, standing: { status: "paused", cause: null } }, fromUnits(5n), { at: FEBRUARY, by: USER })
      )
      const event = { _tag: "FundsMinted" as const, at: FEBRUARY, fundId: "x", owner: USER, asset: "USD" }
      const entries = [{ commands, event: { ...event, amount: fromUnits(5n), externalReference: null } }]
      yield* journal.append({ stream: "fund/x", version: 0, entries })
      expect((yield* returnFreed(store, BOT)).event).toMatchObject({ amount: fromUnits(5n) })
      expect(journal.account(walletOf(BOT, "USD")).balance).toBe(ZERO)
    })
  )
})
