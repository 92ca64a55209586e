import { describe, expect } from "bun:test"
import { Cause, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { JournalUnavailable, type Precondition } from "../../../engine/actor/Journal.ts"
import type { CommitmentHaltSet } from "../../../engine/arena/CommitmentHalt.ts"
import type { BotEvent } from "../../../engine/bots/BotEvent.ts"
import { endDueGuard, setGuard } from "../../../engine/bots/BotGuards.ts"
import { type ReconciledBots, makeBotReconciling } from "../../../engine/bots/BotReconciling.ts"
import { actOnBot } from "../../../engine/bots/BotManagement.ts"
import { found } from "../../../engine/bots/BotRecords.ts"
import type { AccountId } from "../../../engine/ledger/Account.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { COMPANY, RIGHTS, started, storedBots, USER } from "../../lib/StoredBots.ts"

const NOBODY = { living: [], owed: [], operating: [] }
const NO_ACCOUNTS: ReadonlyArray<AccountId> = []

const planSet: PlatformEvent = {
  _tag: "CompanyPlanSet",
  at: FEBRUARY,
  by: { userId: USER, requestId: null, administers: true },
  companyId: COMPANY,
  before: "enterprise",
  after: "pro"
}

const haltSet: CommitmentHaltSet = {
  _tag: "CommitmentHaltSet",
  at: FEBRUARY,
  by: USER,
  companyId: COMPANY,
  act: "halt",
  cause: "asked",
  armed: false,
  deadlineAt: null,
  halted: { at: FEBRUARY, by: USER, cause: "asked" }
}

const terminated: BotEvent = {
  _tag: "BotTerminated",
  at: FEBRUARY,
  by: USER,
  botId: "bot_1",
  turn: 2,
  allowance: usd("0"),
  amount: usd("0")
}

/** Three active bots, and whoever looks after them; how a world is otherwise can be said. */
const fixture = (change: Partial<ReconciledBots<JournalUnavailable>> = {}) =>
  Effect.gen(function* () {
    const made = yield* storedBots(["bot_1", "bot_2", "bot_3"], usd("10"))
    for (const botId of ["bot_1", "bot_2", "bot_3"]) yield* started(made.store, botId)
    const stumbles: Array<string> = []
    const guard = made.store.guard(COMPANY)
    const reconciling = yield* makeBotReconciling<JournalUnavailable>({
      ...made.store,
      allotment: () => Effect.succeed(9),
      halt: () => Effect.succeed(undefined),
      due: (now) => Effect.map(guard, ({ deadlineAt }) => (deadlineAt !== null && deadlineAt <= now ? [COMPANY] : [])),
      nextDue: Effect.map(guard, ({ deadlineAt }) => deadlineAt ?? undefined),
      stumbled: (cause) => Effect.sync(() => void stumbles.push(Cause.pretty(cause))),
      ...change
    })
    const statuses = () => ["bot_1", "bot_2", "bot_3"].map((botId) => made.standing(botId)?.status)
    return { ...made, reconciling, statuses, stumbles }
  })

describe("BotReconciling", () => {
  itEffect("suspends the newest beyond a plan, by what was told of it", () =>
    Effect.gen(function* () {
      const told: Array<object> = []
      const allotment: ReconciledBots<never>["allotment"] = (_, plan) =>
        Effect.sync(() => {
          told.push(plan)
          return 1
        })
      const { reconciling, statuses } = yield* fixture({ allotment })
      yield* reconciling.round
      expect(statuses()).toEqual(["active", "active", "active"])
      reconciling.hear([planSet], NO_ACCOUNTS)
      yield* reconciling.called
      yield* reconciling.round
      expect([statuses(), told]).toEqual([["active", "suspended", "suspended"], [{ plan: "pro" }]])
      yield* reconciling.round
      expect(told.length).toBe(1)
    })
  )

  itEffect("keeps to plans that changed while nobody looked", () =>
    Effect.gen(function* () {
      const { reconciling, statuses } = yield* fixture({ allotment: () => Effect.succeed(0) })
      reconciling.begin({ ...NOBODY, operating: [COMPANY] })
      yield* reconciling.round
      expect(statuses()).toEqual(["suspended", "suspended", "suspended"])
    })
  )

  itEffect("gives back what comes to a terminated bot, and leaves what others have", () =>
    Effect.gen(function* () {
      const rooms: Array<string> = []
      const { reconciling, store } = yield* fixture()
      yield* actOnBot(store, RIGHTS, found(store, "bot_1"), "terminate", USER)
      const watched = yield* makeBotReconciling<JournalUnavailable>({
        ...store,
        room: (botId) =>
          Effect.suspend(() => {
            rooms.push(botId)
            return store.room(botId)
          }),
        allotment: () => Effect.succeed(9),
        halt: () => Effect.succeed(undefined),
        due: () => Effect.succeed([]),
        nextDue: Effect.succeed(undefined),
        stumbled: () => Effect.void
      })
      // It was read as living before that was heard.
      watched.hear([terminated], [])
      watched.begin({ ...NOBODY, living: ["bot_1", "bot_2"] })
      yield* watched.called
      yield* watched.round
      expect(rooms).toEqual(["bot_1"])
      watched.hear([], [walletOf("bot_2", "USD"), walletOf(USER, "USD")])
      yield* watched.round
      expect(rooms.length).toBe(1)
      watched.hear([], [walletOf("bot_1", "USD")])
      yield* watched.called
      yield* watched.round
      expect(rooms).toEqual(["bot_1", "bot_1"])
      yield* reconciling.round
    })
  )

  itEffect("pauses the bots of a company whose commitments are halted, unless that was lifted", () =>
    Effect.gen(function* () {
      const halts: Array<Precondition | undefined> = [
        undefined,
        { stream: "halt", version: 1 },
        { stream: "halt", version: 0 }
      ]
      const { reconciling, statuses } = yield* fixture({ halt: () => Effect.sync(() => halts.shift()) })
      reconciling.hear([haltSet], NO_ACCOUNTS)
      yield* reconciling.called
      yield* reconciling.round
      expect(statuses()).toEqual(["active", "active", "active"])
      reconciling.hear([{ ...haltSet, act: "resume", cause: null, halted: null }], NO_ACCOUNTS)
      yield* reconciling.round
      expect(halts.length).toBe(2)
      reconciling.hear([haltSet], NO_ACCOUNTS)
      yield* reconciling.round
      // The first was lifted and set again meanwhile.
      expect([statuses(), halts]).toEqual([["paused", "paused", "paused"], []])
    })
  )

  itEffect("keeps what it could not do", () =>
    Effect.gen(function* () {
      let isLost = true
      const lost = new JournalUnavailable({ reason: "nobody answers" })
      const allotment = () => Effect.suspend(() => (isLost ? Effect.fail(lost) : Effect.succeed(0)))
      const { reconciling, statuses } = yield* fixture({ allotment })
      reconciling.hear([planSet], NO_ACCOUNTS)
      expect(yield* Effect.flip(reconciling.round)).toBe(lost)
      isLost = false
      yield* reconciling.round
      expect(statuses()).toEqual(["suspended", "suspended", "suspended"])
    })
  )

  itEffect("waits for the next guard that is due, and tries again where it stumbled", () =>
    Effect.gen(function* () {
      let failures = 1
      const lost = new JournalUnavailable({ reason: "nobody answers" })
      const seen = yield* fixture()
      const { store } = seen
      const reconciling = yield* makeBotReconciling<JournalUnavailable>({
        ...store,
        allotment: () => Effect.succeed(9),
        halt: () => Effect.succeed(undefined),
        due: (now) =>
          Effect.flatMap(store.guard(COMPANY), ({ deadlineAt }) => {
            if (deadlineAt === null || deadlineAt > now) return Effect.succeed([])
            return failures-- > 0 ? Effect.fail(lost) : Effect.succeed([COMPANY])
          }),
        nextDue: Effect.map(store.guard(COMPANY), ({ deadlineAt }) => deadlineAt ?? undefined),
        stumbled: (cause) => Effect.sync(() => void seen.stumbles.push(Cause.pretty(cause)))
      })
      yield* setGuard(store, COMPANY, USER, 60)
      const running = yield* Effect.forkChild(reconciling.running)
      yield* TestClock.adjust(59_999)
      expect(seen.statuses()).toEqual(["active", "active", "active"])
      yield* TestClock.adjust(1)
      expect([seen.statuses()[0], seen.stumbles.length]).toEqual(["active", 1])
      yield* TestClock.adjust(1_000)
      expect(seen.statuses()).toEqual(["paused", "paused", "paused"])
      yield* Fiber.interrupt(running)
    })
  )

  itEffect("leaves a guard alone that was asked for again as it became due", () =>
    Effect.gen(function* () {
      const { reconciling, statuses, store } = yield* fixture({ due: () => Effect.succeed([COMPANY]) })
      yield* setGuard(store, COMPANY, USER, 60)
      yield* endDueGuard(store, COMPANY)
      yield* reconciling.round
      expect(statuses()).toEqual(["active", "active", "active"])
    })
  )
})
