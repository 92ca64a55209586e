import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { botStream } from "../../../engine/bots/BotEvent.ts"
import { creditsOf } from "../../../engine/bots/EvaluationCredits.ts"
import { mint } from "../../../engine/ledger/Funding.ts"
import { ONE, ZERO } from "../../../engine/money/Amount.ts"
import { BotProjection } from "../../../engine/simulation/BotProjection.ts"
import { SimulatedCredits } from "../../../engine/simulation/SimulatedCredits.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { FEBRUARY, made, moved, profile, CASE_BOT } from "../../lib/BotCases.ts"
import { itEffect } from "../../lib/Effects.ts"
import { runningJournal } from "../../lib/RunningJournal.ts"

const owner = {
  version: 0,
  botId: CASE_BOT,
  companyId: "cmp_1",
  userId: "usr_1",
  profile
}

const world = Effect.gen(function* () {
  const projection = new BotProjection()
  const { journal } = yield* runningJournal({ onCommit: ({ settled }) => projection.apply(settled.recorded) })
  const minted = { id: "m", owner: "usr_1", asset: "USD", amount: usd("1000") }
  yield* journal.append({
    stream: "x",
    version: null,
    entries: [{ commands: [mint(minted)], event: made }]
  })
  const credits = new SimulatedCredits({ journal, ledger: journal, projection, monthly: () => usd("2") })
  return { journal, projection, credits }
})

describe("SimulatedCredits", () => {
  itEffect("grants the month, sets the budget, and charges free credits first", () =>
    Effect.gen(function* () {
      const { credits, projection } = yield* world
      const prepared = Result.getOrThrow(yield* credits.prepare(owner, "dec_1", FEBRUARY))
      expect(prepared.charge).toMatchObject({ free: ONE, paid: ZERO, period: "2027-02" })
      expect(prepared.precondition).toEqual({ stream: "credits/cmp_1", version: 2 })
      expect(projection.credits("cmp_1").free).toBe(usd("2"))
      expect(credits.isGone(owner, FEBRUARY)).toBe(false)
    })
  )

  itEffect("says that credits are gone where the budget is used up", () =>
    Effect.gen(function* () {
      const { credits } = yield* world
      const poor = { ...owner, profile: { ...profile, creditBudget: ZERO } }
      expect(Result.isFailure(yield* credits.prepare(poor, "dec_1", FEBRUARY))).toBe(true)
      expect(credits.isGone(poor, FEBRUARY)).toBe(true)
    })
  )

  itEffect("sells credits once under a key, as far as the USD reach", () =>
    Effect.gen(function* () {
      const { credits, journal } = yield* world
      const key = { key: "k", fingerprint: "k" }
      expect(yield* credits.topUp(owner, usd("3"), key)).toBe(true)
      expect(yield* Effect.flip(credits.topUp(owner, usd("3"), key))).toMatchObject({ _tag: "JournalUnavailable" })
      expect(journal.account(creditsOf("cmp_1", "paid")).balance).toBe(usd("300"))
      expect(yield* credits.topUp(owner, usd("5000"), { key: "l", fingerprint: "l" })).toBe(false)
      expect(yield* credits.topUp(owner, usd("0.001"), { key: "o", fingerprint: "o" })).toBe(false)
    })
  )

  itEffect("sells none for a bot that is terminated", () =>
    Effect.gen(function* () {
      const { credits, journal } = yield* world
      const entries = [{ commands: [], event: moved("BotTerminated", 2, ZERO) }]
      yield* journal.append({ stream: botStream(CASE_BOT), version: 0, entries })
      const refused = yield* Effect.flip(credits.topUp(owner, usd("3"), { key: "k", fingerprint: "k" }))
      expect(refused).toMatchObject({ _tag: "BotEnded" })
      expect(journal.account(creditsOf("cmp_1", "paid")).balance).toBe(ZERO)
    })
  )
})
