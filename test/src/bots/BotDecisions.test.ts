import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import type { BotDecided } from "../../../engine/bots/BotEvent.ts"
import { evaluate } from "../../../engine/bots/Evaluation.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { OpenOrders } from "../../../src/arena/OpenOrders.ts"
import { Participation } from "../../../src/arena/Participation.ts"
import { BotActors } from "../../../src/bots/BotActors.ts"
import { DecisionRepository } from "../../../src/bots/DecisionRepository.ts"
import { BotDecisions } from "../../../src/bots/BotDecisions.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { BotFixture, offered } from "../../lib/BotFixture.ts"
import { itEffect } from "../../lib/Effects.ts"

const { bot, history } = new BotFixture()

const terms = offered("ord_1")

const input = {
  at: 0,
  strategy: bot.profile.strategy,
  order: terms,
  prices: history,
  freeCollateral: usd("50"),
  lossBudget: usd("50"),
  capable: true,
  halted: false,
  shade: ZERO
}

const about = {
  at: 0,
  by: "usr_1",
  botId: bot.botId,
  decisionId: "dec_1",
  orderId: "ord_1",
  dryRun: true,
  charge: null
}

const ME = { companyId: "cmp_1", userId: "usr_1" }

const STRANGER = { companyId: "cmp_2", userId: "usr_2" }

/** The service over a bot of `cmp_1`, and what its actor was asked. */
const fixture = Effect.fnUntraced(function* (excluded: ReadonlyArray<string>, halted = false) {
  const asked: Array<string> = []
  const event: BotDecided = { _tag: "BotDecided", ...about, input, decision: evaluate({ ...input, halted }) }
  const needs = Layer.mergeAll(
    Layer.mock(BotActors, {
      size: () => 0,
      evaluate: (...all) => {
        asked.push(all.join(" "))
        return Effect.succeed({ seq: 1, stream: "", version: 1, event, hash: "" })
      }
    }),
    Layer.mock(DecisionRepository, {
      ownerOf: (botId) => Effect.succeed(botId === bot.botId ? "cmp_1" : undefined),
      list: () => Effect.succeed({ decisions: [], total: 7, next: undefined })
    }),
    Layer.mock(OpenOrders, { list: () => [terms], terms: () => undefined }),
    Layer.mock(Participation, {
      with: (_, { owner }) =>
        Effect.succeed({
          rule: "weighted",
          machines: 1n,
          total: 4n,
          machineOwners: [owner],
          excluded: new Set(excluded)
        })
    })
  )
  const context = yield* Layer.build(Layer.provide(BotDecisions.layer, needs))
  return { asked, decisions: yield* Effect.provideContext(BotDecisions, context) }
})

describe("BotDecisions", () => {
  itEffect("asks a bot for its owner", () =>
    Effect.gen(function* () {
      const { asked, decisions } = yield* fixture([])
      expect(yield* decisions.evaluate(ME, bot.botId, "ord_1")).toMatchObject({ event: about, warnings: [] })
      expect(asked).toEqual([`${bot.botId} ord_1 usr_1`])
      expect((yield* decisions.list(ME, bot.botId, { limit: 1, offset: 0 })).total).toBe(7)
    })
  )

  itEffect("warns where too few machines take part for the bid to win", () =>
    Effect.gen(function* () {
      const { decisions } = yield* fixture(["cmp_1"])
      const { warnings } = yield* decisions.evaluate(ME, bot.botId, "ord_1")
      expect(warnings.map((each) => each.slice(0, 9))).toEqual(["ARENA_007"])
      const none = yield* (yield* fixture(["cmp_1"], true)).decisions.evaluate(ME, bot.botId, "ord_1")
      expect(none.warnings).toEqual([])
    })
  )

  itEffect("tells nobody else whether a bot is there, and asks it nothing", () =>
    Effect.gen(function* () {
      const { asked, decisions } = yield* fixture([])
      const refused = yield* Effect.all(
        [
          decisions.evaluate(STRANGER, bot.botId, "ord_1"),
          decisions.evaluate(ME, "bot_none", "ord_1"),
          decisions.list(STRANGER, bot.botId, { limit: 1, offset: 0 }),
          decisions.list(ME, "bot_none", { limit: 1, offset: 0 })
        ].map((act) => Effect.exit<unknown, { readonly _tag: string }, never>(act))
      )
      for (const exit of refused) {
        expect(Exit.isFailure(exit) && exit.cause.reasons).toMatchObject([{ error: { _tag: "NotOwnBot" } }])
      }
      expect(asked).toEqual([])
    })
  )
})
