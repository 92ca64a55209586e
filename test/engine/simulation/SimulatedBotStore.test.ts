import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { found, writeStep } from "../../../engine/bots/BotRecords.ts"
import { fund } from "../../../engine/bots/BotLifeDecision.ts"
import { simulatedBotStore } from "../../../engine/simulation/SimulatedBotStore.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { COMPANY, started, storedBots, USER } from "../../lib/StoredBots.ts"

describe("simulatedBotStore", () => {
  itEffect("gives the bots as the events make them, and what is free of their accounts", () =>
    Effect.gen(function* () {
      const { projection, store } = yield* storedBots(["bot_1", "bot_2"], usd("100"))
      expect(yield* store.find("bot_1")).toEqual(projection.bots.get("bot_1"))
      expect(yield* store.find("bot_3")).toBeUndefined()
      expect(yield* store.active(COMPANY)).toEqual([])
      yield* started(store, "bot_2")
      expect((yield* store.active(COMPANY)).map(({ botId }) => botId)).toEqual(["bot_2"])
      expect(yield* store.active("cmp_2")).toEqual([])
      expect(yield* store.room("bot_1")).toEqual({
        balance: usd("100"),
        collateral: usd("100"),
        allowance: usd("10"),
        held: usd("0")
      })
      expect(yield* store.guard(COMPANY)).toEqual({ deadlineAt: null, version: 0 })
    })
  )

  itEffect("writes nothing under a key that has an answer", () =>
    Effect.gen(function* () {
      const { journal, store } = yield* storedBots(["bot_1"], usd("100"))
      const idempotency = { key: "k", fingerprint: "k" }
      const funded = Effect.gen(function* () {
        const bot = yield* found(store, "bot_1")
        const entry = yield* Effect.fromResult(fund(bot, usd("1"), { at: FEBRUARY, by: USER }))
        return yield* writeStep(store, bot, entry, { idempotency })
      })
      yield* funded
      const { length } = journal.events
      expect(yield* Effect.flip(funded)).toMatchObject({ _tag: "JournalUnavailable", isUnwritten: true })
      expect(journal.events.length).toBe(length)
    })
  )

  itEffect("lets a fault stand between what was recorded and who looks", () =>
    Effect.gen(function* () {
      const { journal, projection, store } = yield* storedBots(["bot_1", "bot_2"], usd("100"))
      for (const botId of ["bot_1", "bot_2"]) yield* started(store, botId)
      const planted = simulatedBotStore({
        journal,
        writes: journal,
        projection,
        guard: ({ version }) => ({ deadlineAt: 5, version }),
        pausing: (botIds) => botIds.slice(1)
      })
      expect((yield* planted.active(COMPANY)).length).toBe(1)
      expect((yield* planted.guard(COMPANY)).deadlineAt).toBe(5)
    })
  )
})
