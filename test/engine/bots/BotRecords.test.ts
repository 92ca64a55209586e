import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { StaleVersion } from "../../../engine/actor/Journal.ts"
import { fund, withdraw } from "../../../engine/bots/BotLifeDecision.ts"
import { found, writeStep } from "../../../engine/bots/BotRecords.ts"
import { InsufficientFunds } from "../../../engine/ledger/Book.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { storedBots, USER } from "../../lib/StoredBots.ts"

const who = { at: FEBRUARY, by: USER }

describe("writeStep", () => {
  itEffect("gives the bot after what it wrote", () =>
    Effect.gen(function* () {
      const { projection, store } = yield* storedBots(["bot_1"], usd("100"))
      const bot = yield* found(store, "bot_1")
      const entry = Result.getOrThrow(fund(bot, usd("5"), who))
      const stepped = yield* writeStep(store, bot, entry)
      expect(stepped.event).toBe(entry.event)
      expect(stepped.bot).toEqual(projection.bots.get("bot_1")!)
      expect(yield* Effect.flip(writeStep(store, bot, entry))).toBeInstanceOf(StaleVersion)
    })
  )

  itEffect("is stale where less is free of the bot's accounts than was read, not where its user has too little", () =>
    Effect.gen(function* () {
      const { store } = yield* storedBots(["bot_1"], usd("100"))
      const bot = yield* found(store, "bot_1")
      const room = { ...(yield* store.room("bot_1")), collateral: usd("200") }
      const withdrawn = Result.getOrThrow(withdraw(bot, usd("150"), room, who))
      expect(yield* Effect.flip(writeStep(store, bot, withdrawn))).toEqual(
        new StaleVersion({ stream: "bot/bot_1", expected: 0, actual: 0 })
      )
      const funded = Result.getOrThrow(fund(bot, usd("1000000"), who))
      expect(yield* Effect.flip(writeStep(store, bot, funded))).toBeInstanceOf(InsufficientFunds)
    })
  )
})
