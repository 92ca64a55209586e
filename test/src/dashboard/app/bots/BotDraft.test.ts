import { describe, expect, it } from "bun:test"
import { type Bot, changeOf, draftOf, NEW_BOT, PRESET_TEXTS } from "../../../../../src/dashboard/app/bots/BotDraft.ts"

const custom = {
  name: " Tortoise ",
  capabilities: ["fx"],
  strategy: {
    riskPreset: "custom",
    riskLevel: 0.8,
    maxLossPct: 20,
    minRoiPct: 1,
    maxCollateralPerTrade: 50,
    overrides: []
  },
  credit_budget: 300,
  auto_topup_enabled: true
} as unknown as Bot

describe("A bot's form", () => {
  it("leaves the figures of a named preset to it", () => {
    expect(changeOf(NEW_BOT)).toEqual({
      name: "",
      capabilities: ["fx", "commodity"],
      strategy: { riskPreset: "balanced", maxCollateralPerTrade: 50 },
      credit_budget: 1_000,
      auto_topup_enabled: false
    })
  })

  it("sends a bot back as it was read", () => {
    const { name, ...rest } = changeOf(draftOf(custom))
    expect(name).toBe("Tortoise")
    expect(rest).toEqual({
      capabilities: ["fx"],
      strategy: { riskPreset: "custom", riskLevel: 0.8, maxLossPct: 20, minRoiPct: 1, maxCollateralPerTrade: 50 },
      credit_budget: 300,
      auto_topup_enabled: true
    })
  })

  it("keeps the figures of a bot whose strategy differs from its preset", () => {
    const strategy = { ...custom.strategy, riskPreset: "balanced" as const, overrides: ["minRoiPct" as const] }
    expect(changeOf(draftOf({ ...custom, strategy })).strategy).toMatchObject({ riskPreset: "custom", minRoiPct: 1 })
  })

  it("says what the presets of the platform are", () => {
    expect(PRESET_TEXTS.conservative.text).toBe("May lose 5%, and asks for a return of 10%.")
  })
})
