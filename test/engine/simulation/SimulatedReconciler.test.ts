import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { BotGuardSet, BotPaused } from "../../../engine/bots/BotEvent.ts"
import { fund } from "../../../engine/bots/BotLifeDecision.ts"
import { setGuard } from "../../../engine/bots/BotGuards.ts"
import { actOnBot } from "../../../engine/bots/BotManagement.ts"
import { found } from "../../../engine/bots/BotRecords.ts"
import { SimulatedReconciler } from "../../../engine/simulation/SimulatedReconciler.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { COMPANY, RIGHTS, started, storedBots, USER } from "../../lib/StoredBots.ts"
import { playedWithBots as played } from "../../lib/PlayedBots.ts"

const SEEDS = [1, 2, 3, 4]

/** What became of the switches of some simulations: the guards that were set and ended, and who was paused by them. */
const switched = (faults: boolean) => {
  const events = SEEDS.map((seed) => played(seed, faults).journal.events.map(({ event }) => event))
  const all = events.flat()
  return {
    set: all.filter((event): event is BotGuardSet => event._tag === "BotGuardSet" && event.by !== null),
    ended: all.filter((event): event is BotGuardSet => event._tag === "BotGuardSet" && event.by === null),
    paused: all.filter((event): event is BotPaused => event._tag === "BotPaused" && event.by === null)
  }
}

describe("SimulatedReconciler", () => {
  for (const faults of [false, true]) {
    it(`pauses bots where nobody asked again, ${faults ? "with" : "without"} faults`, () => {
      const { ended, paused, set } = switched(faults)
      expect([ended.length > 0, paused.length > 0]).toEqual([true, true])
      expect(set.length).toBeGreaterThan(ended.length)
      expect(set.some(({ deadlineAt }) => deadlineAt === null)).toBe(true)
    })
  }

  itEffect("begins with what is recorded, and ends with its process", () =>
    Effect.gen(function* () {
      const { journal, projection, standing, store } = yield* storedBots(["bot_1", "bot_2"], usd("10"))
      yield* started(store, "bot_2")
      yield* actOnBot(store, RIGHTS, found(store, "bot_1"), "terminate", USER)
      const bot = { ...(yield* found(store, "bot_1")), standing: { status: "paused", cause: null } } as const
      const { commands } = yield* Effect.fromResult(fund(bot, usd("5"), { at: FEBRUARY, by: USER }))
      const minted = { _tag: "FundsMinted" as const, at: FEBRUARY, fundId: "x", owner: USER, asset: "USD" }
      const event = { ...minted, amount: usd("5"), externalReference: null }
      yield* journal.append({ stream: "fund/x", version: 0, entries: [{ commands, event }] })
      let looks = 0
      const counted = {
        ...store,
        active: (companyId: string) => Effect.suspend(() => ((looks += 1), store.active(companyId)))
      }
      const fork = Effect.runForkWith(yield* Effect.context<never>())
      const reconciler = new SimulatedReconciler({ journal, projection, store: counted, haltOf: () => undefined, fork })
      yield* setGuard(store, COMPANY, USER, 60)
      expect(reconciler.isOwing).toBe(true)
      reconciler.start()
      while (reconciler.isOwing) yield* TestClock.adjust(1)
      reconciler.start()
      yield* TestClock.adjust(1_000)
      looks = 0
      yield* TestClock.adjust(60_000)
      expect([standing("bot_2")?.status, looks]).toEqual(["paused", 1])
    })
  )
})
