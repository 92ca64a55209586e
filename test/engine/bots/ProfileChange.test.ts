import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { profileAfter, type ProfileChange } from "../../../engine/bots/ProfileChange.ts"
import { PRESETS } from "../../../engine/bots/Strategy.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { MODULAR_PROFILE } from "../../lib/BotCases.ts"

/** The profile as it is changed, where each module but one is there. */
const changed = (wanted: ProfileChange) =>
  profileAfter(MODULAR_PROFILE, wanted, (name) =>
    name === "gone.ts" ? Result.fail("no such file") : Result.succeed(name)
  )

const text = (profile: unknown) =>
  JSON.stringify(profile, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one))

describe("profileAfter", () => {
  it("has what its owner gives anew, and keeps the rest in its place", () => {
    for (const change of [
      { name: "bot_2" },
      { capabilities: ["gpu"] },
      { creditBudget: usd("7") },
      { autoTopUp: true },
      { strategyModule: "storm.ts" },
      {}
    ] as const) {
      expect(text(Result.getOrThrow(changed(change)))).toBe(text({ ...MODULAR_PROFILE, ...change }))
    }
    expect(Result.getOrThrow(changed({ strategyModule: null }))).not.toHaveProperty("strategyModule")
  })

  it("takes the numbers of a preset", () => {
    const strategy = { riskPreset: "aggressive", maxCollateralPerTrade: usd("3") } as const
    expect(Result.getOrThrow(changed({ strategy })).strategy).toEqual({ ...strategy, ...PRESETS.aggressive })
  })

  it("is none with a strategy that cannot be followed, or a module that is not there", () => {
    const strategy = { ...MODULAR_PROFILE.strategy, maxCollateralPerTrade: ZERO }
    expect(Result.isFailure(changed({ strategy }))).toBe(true)
    expect(changed({ strategyModule: "gone.ts" })).toEqual(Result.fail("no such file"))
  })
})
