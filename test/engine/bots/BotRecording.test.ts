import { describe, expect } from "bun:test"
import { Effect, Exit, Result } from "effect"
import type { BotMemory } from "../../../engine/bots/BotMemory.ts"
import { type Answered, decide, type Question, suspendFor } from "../../../engine/bots/BotRecording.ts"
import type { CreditsGone } from "../../../engine/bots/EvaluationCreditsDecision.ts"
import { creditsOf, creditsStream } from "../../../engine/bots/EvaluationCredits.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { BOT, BotFixture, offered, paused } from "../../lib/BotFixture.ts"
import { itEffect } from "../../lib/Effects.ts"

const question: Question = { decisionId: "dec_1", terms: offered("ord_1"), dryRun: true, by: "usr_1" }

const taken = (answered: Result.Result<Answered, CreditsGone> | undefined): Answered => {
  if (answered === undefined) throw new Error("nothing was decided")
  return Result.getOrThrow(answered)
}

const memoryOf = ({ bot }: BotFixture): BotMemory => ({ bot, decided: new Map() })

describe("a decision", () => {
  itEffect("is recorded with what it was decided on, in one entry with its charge", () =>
    Effect.gen(function* () {
      const fixture = new BotFixture()
      fixture.halted.add("fx")
      const memory = memoryOf(fixture)
      const answered = taken(yield* decide(fixture, memory, question))
      expect(answered.recorded.event).toMatchObject({
        by: "usr_1",
        dryRun: true,
        decisionId: "dec_1",
        botId: BOT
      })
      expect(answered.recorded.event.input).toMatchObject({
        order: { orderId: "ord_1", entryPrice: usd("100") },
        prices: fixture.history,
        freeCollateral: usd("1000"),
        capable: true,
        halted: true
      })
      expect(answered.recorded.event.decision.code).toBe("breaker_open")
      expect(memory.bot.version).toBe(1)
      expect(fixture.journal.recorded).toHaveLength(1)
      expect(fixture.creditsLeft).toBe(99)
    })
  )

  itEffect("takes other credits where another took these first", () =>
    Effect.gen(function* () {
      const fixture = new BotFixture(2)
      const { charge } = fixture
      let calls = 0
      const world = {
        ...fixture,
        journal: fixture.journal,
        charge: (...asked: Parameters<typeof charge>) =>
          Effect.map(
            charge(...asked),
            Result.map((prepared) =>
              calls++ === 0 ? { ...prepared, charge: { ...prepared.charge, free: usd("3") } } : prepared
            )
          )
      }
      taken(yield* decide(world, memoryOf(fixture), question))
      expect(calls).toBe(2)
      expect(fixture.journal.book.available(creditsOf("cmp_1", "free"))).toBe(usd("1"))
    })
  )

  itEffect("is not recorded on credits or a bot that are others by now", () =>
    Effect.gen(function* () {
      const fixture = new BotFixture()
      const memory = memoryOf(fixture)
      fixture.act(paused)
      const stale = yield* Effect.exit(decide(fixture, memory, question))
      expect(Exit.isFailure(stale)).toBe(true)
      memory.bot = fixture.bot
      yield* fixture.journal.append({
        stream: creditsStream("cmp_1"),
        version: 0,
        entries: [{ commands: [], event: paused }]
      })
      expect(Exit.isFailure(yield* Effect.exit(decide(fixture, memory, question)))).toBe(true)
      expect(fixture.creditsLeft).toBe(100)
    })
  )
})

describe("a suspension", () => {
  itEffect("is recorded with its cause, of an active bot alone", () =>
    Effect.gen(function* () {
      const fixture = new BotFixture()
      const memory = memoryOf(fixture)
      yield* suspendFor(fixture, memory, "loss_limit")
      expect(memory.bot).toMatchObject({ standing: { status: "suspended", cause: "loss_limit" }, version: 1 })
      yield* suspendFor(fixture, memory, "breaker_open")
      expect(fixture.journal.recorded).toHaveLength(1)
      expect(fixture.bot).toEqual(memory.bot)
    })
  )
})

describe("no decision", () => {
  itEffect("is made by itself of a bot that is not active, which pays nothing", () =>
    Effect.gen(function* () {
      const fixture = new BotFixture()
      fixture.act(paused)
      expect(yield* decide(fixture, memoryOf(fixture), { ...question, dryRun: false, by: null })).toBeUndefined()
      expect(fixture.creditsLeft).toBe(100)
    })
  )
})
