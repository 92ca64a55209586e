import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { BotState } from "../../../engine/bots/Bot.ts"
import { suspended } from "../../../engine/bots/BotLifeDecision.ts"
import { setGuard } from "../../../engine/bots/BotGuards.ts"
import { GuardReplaced, pauseActive } from "../../../engine/bots/BotPausing.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { started, storedBots, COMPANY, tagsOf, USER } from "../../lib/StoredBots.ts"

describe("pauseActive", () => {
  itEffect("pauses whoever is active, newest first, and says who was", () =>
    Effect.gen(function* () {
      const { journal, standing, store } = yield* storedBots(["bot_1", "bot_2", "bot_3"], usd("10"))
      for (const botId of ["bot_1", "bot_3"]) yield* started(store, botId)
      expect(yield* pauseActive(store, COMPANY, { by: USER })).toEqual(["bot_3", "bot_1"])
      expect(["bot_1", "bot_2", "bot_3"].map((botId) => standing(botId)?.status)).toEqual([
        "paused",
        "inactive",
        "paused"
      ])
      expect(yield* pauseActive(store, COMPANY, { by: USER })).toEqual([])
      expect(tagsOf(journal, "bot_1")).toEqual(["BotStarted", "BotPaused"])
    })
  )

  itEffect("leaves one that was suspended before its turn came", () =>
    Effect.gen(function* () {
      const bots: { first: BotState | undefined } = { first: undefined }
      const { journal, projection, store } = yield* storedBots(["bot_1"], usd("10"), ({ entries }, to) => {
        if (entries[0]?.event._tag !== "BotPaused" || bots.first === undefined) return Effect.void
        const entry = suspended(bots.first, "loss_limit", FEBRUARY)!
        const { version } = bots.first
        bots.first = undefined
        return Effect.orDie(to.append({ stream: "bot/bot_1", version, entries: [entry] }))
      })
      yield* started(store, "bot_1")
      bots.first = projection.bots.get("bot_1")
      expect(yield* pauseActive(store, COMPANY, { by: null })).toEqual([])
      yield* journal.reached
      expect(tagsOf(journal, "bot_1")).toEqual(["BotStarted", "BotSuspended"])
    })
  )

  itEffect("pauses none once the guard that it follows from is another", () =>
    Effect.gen(function* () {
      const { standing, store } = yield* storedBots(["bot_1"], usd("10"))
      yield* started(store, "bot_1")
      const { stream, version } = yield* setGuard(store, COMPANY, USER, 60)
      yield* setGuard(store, COMPANY, USER, 60)
      const late = yield* Effect.flip(pauseActive(store, COMPANY, { by: null, guard: { stream, version } }))
      expect(late).toEqual(new GuardReplaced({ stream }))
      expect(standing("bot_1")?.status).toBe("active")
    })
  )
})
