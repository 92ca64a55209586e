import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { BotGuardSet } from "../../../engine/bots/BotEvent.ts"
import { endDueGuard, setGuard } from "../../../engine/bots/BotGuards.ts"
import { GuardReplaced } from "../../../engine/bots/BotPausing.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { decodedEvent } from "../../lib/DecodedEvent.ts"
import { itEffect } from "../../lib/Effects.ts"
import { started, storedBots, COMPANY, USER } from "../../lib/StoredBots.ts"

const SECOND = 1_000

describe("setGuard", () => {
  itEffect("says when the bots are paused, or that they are not", () =>
    Effect.gen(function* () {
      const { store } = yield* storedBots([], usd("1"))
      expect((yield* setGuard(store, COMPANY, USER, 60)).event).toMatchObject({ at: 0, by: USER, deadlineAt: 60_000 })
      expect(yield* store.guard(COMPANY)).toEqual({ deadlineAt: 60_000, version: 1 })
      yield* setGuard(store, COMPANY, USER, 0)
      expect(yield* store.guard(COMPANY)).toEqual({ deadlineAt: null, version: 2 })
    })
  )
})

describe("endDueGuard", () => {
  itEffect("pauses the bots once it is due, and ends after that", () =>
    Effect.gen(function* () {
      const { journal, standing, store } = yield* storedBots(["bot_1"], usd("10"))
      yield* started(store, "bot_1")
      yield* setGuard(store, COMPANY, USER, 60)
      yield* TestClock.adjust(60 * SECOND - 1)
      yield* endDueGuard(store, COMPANY)
      expect(standing("bot_1")?.status).toBe("active")
      yield* TestClock.adjust(1)
      yield* endDueGuard(store, COMPANY)
      expect(standing("bot_1")?.status).toBe("paused")
      expect(journal.events.slice(-2).map(decodedEvent)).toMatchObject([
        { _tag: "BotPaused", by: null },
        { _tag: "BotGuardSet", by: null, deadlineAt: null }
      ])
      yield* endDueGuard(store, COMPANY)
      expect(journal.stream(`bot-guard/${COMPANY}`).length).toBe(2)
    })
  )

  itEffect("leaves a company alone that asks again while it is due", () =>
    Effect.gen(function* () {
      const again: BotGuardSet = { _tag: "BotGuardSet", at: SECOND, by: USER, companyId: COMPANY, deadlineAt: 61_000 }
      const { journal, store } = yield* storedBots([], usd("1"), ({ entries: [entry], stream }, to) =>
        entry?.event._tag === "BotGuardSet" && entry.event.by === null
          ? Effect.orDie(to.append({ stream, version: null, entries: [{ commands: [], event: again }] }))
          : Effect.void
      )
      yield* setGuard(store, COMPANY, USER, 1)
      yield* TestClock.adjust(SECOND)
      expect(yield* Effect.flip(endDueGuard(store, COMPANY))).toBeInstanceOf(GuardReplaced)
      expect(yield* store.guard(COMPANY)).toMatchObject({ deadlineAt: 61_000 })
      yield* journal.reached
      expect(journal.stream(`bot-guard/${COMPANY}`).length).toBe(2)
    })
  )
})
