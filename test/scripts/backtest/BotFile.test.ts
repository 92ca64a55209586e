import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { PRESETS } from "../../../engine/bots/Strategy.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { botOf, isPreset, presetBot } from "../../../scripts/backtest/BotFile.ts"
import { itEffect as it } from "../../lib/Effects.ts"

const body = {
  name: "Tortoise",
  capabilities: ["fx"],
  strategy: { riskPreset: "balanced", maxCollateralPerTrade: 200.5 },
  collateral_amount: 1_000,
  credit_budget: 500,
  auto_topup_enabled: false
}

const read = (changes: object) => botOf("bot.json", JSON.stringify({ ...body, ...changes }))

describe("a bot's file", () => {
  it("is the body that creates the bot", () =>
    Effect.map(read({}), (bot) =>
      expect(bot).toEqual({
        name: "Tortoise",
        capabilities: ["fx"],
        strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: fromUnits(200_500_000n) },
        collateral: fromUnits(1_000n * ONE),
        creditBudget: fromUnits(500n * ONE)
      })
    ))

  for (const [what, changes, told] of [
    ["no JSON", undefined, /^bot\.json: /],
    ["an unknown asset type", { capabilities: ["cheese"] }, /^bot\.json: .*capabilities/],
    ["a module", { strategy_module: "my.ts" }, /^bot\.json: strategy_module: play it by `emporion replay-market/],
    ["no collateral", { collateral_amount: 0 }, /^bot\.json: collateral_amount: expected more than 0$/],
    [
      "half a custom strategy",
      { strategy: { ...body.strategy, riskPreset: "custom" } },
      /strategy\.riskLevel: expected/
    ]
  ] as const) {
    it(`refuses ${what}, in one line that names it`, () =>
      Effect.map(Effect.flip(changes === undefined ? botOf("bot.json", "{") : read(changes)), ({ message }) => {
        expect(message).toMatch(told)
        expect(message).not.toContain("\n")
      }))
  }

  it("may have numbers of its own in the place of its preset's", () =>
    Effect.map(read({ strategy: { ...body.strategy, riskLevel: 1 } }), ({ strategy }) =>
      expect(strategy).toEqual({
        riskPreset: "balanced",
        ...PRESETS.balanced,
        riskLevel: fromUnits(ONE),
        maxCollateralPerTrade: fromUnits(200_500_000n)
      })
    ))

  it("is not needed for a preset", () =>
    Effect.sync(() => {
      expect([isPreset("balanced"), isPreset("custom"), isPreset("toString")]).toEqual([true, false, false])
      expect(presetBot("aggressive").strategy).toMatchObject(PRESETS.aggressive)
    }))
})
