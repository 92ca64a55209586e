import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { overridesOf, PRESETS, type StrategyRequest, strategyOf } from "../../../engine/bots/Strategy.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"

const cap = fromUnits(100n * ONE)
const custom = {
  riskPreset: "custom",
  riskLevel: fromUnits(0n),
  maxLossPct: fromUnits(1n),
  minRoiPct: fromUnits(0n),
  maxCollateralPerTrade: cap
} as const satisfies StrategyRequest

const fieldOf = (request: StrategyRequest): string | undefined =>
  Result.match(strategyOf(request), { onFailure: ({ field }) => field, onSuccess: () => undefined })

describe("a strategy", () => {
  it("has the numbers of its preset", () => {
    for (const [riskPreset, risk] of Object.entries(PRESETS)) {
      const request = { riskPreset: riskPreset as keyof typeof PRESETS, maxCollateralPerTrade: cap }
      const expected = { riskPreset: request.riskPreset, ...risk, maxCollateralPerTrade: cap }
      expect(Result.getOrThrow(strategyOf(request))).toEqual(expected)
      expect(Result.getOrThrow(strategyOf({ ...request, ...risk }))).toEqual(expected)
    }
    expect(PRESETS.balanced).toEqual({
      riskLevel: fromUnits(500_000n),
      maxLossPct: fromUnits(10n * ONE),
      minRoiPct: fromUnits(5n * ONE)
    })
  })

  it("takes a number beside a preset that has another instead of the preset's, and tells which", () => {
    const own = { riskPreset: "balanced", minRoiPct: fromUnits(1n), maxCollateralPerTrade: cap } as const
    const strategy = Result.getOrThrow(strategyOf(own))
    expect(strategy).toEqual({ ...PRESETS.balanced, ...own })
    expect(overridesOf(strategy)).toEqual(["minRoiPct"])
    const same = Result.getOrThrow(strategyOf({ ...own, minRoiPct: PRESETS.balanced.minRoiPct }))
    expect(overridesOf(same)).toEqual([])
    expect(overridesOf({ ...strategy, riskPreset: "custom" })).toEqual([])
    expect(fieldOf({ ...own, riskLevel: fromUnits(ONE + 1n) })).toBe("riskLevel")
  })

  const refused: ReadonlyArray<readonly [Partial<StrategyRequest>, string]> = [
    [{ riskLevel: undefined }, "riskLevel"],
    [{ riskLevel: fromUnits(-1n) }, "riskLevel"],
    [{ riskLevel: fromUnits(ONE + 1n) }, "riskLevel"],
    [{ maxLossPct: undefined }, "maxLossPct"],
    [{ maxLossPct: fromUnits(0n) }, "maxLossPct"],
    [{ maxLossPct: fromUnits(100n * ONE + 1n) }, "maxLossPct"],
    [{ minRoiPct: undefined }, "minRoiPct"],
    [{ minRoiPct: fromUnits(-1n) }, "minRoiPct"],
    [{ minRoiPct: fromUnits(100n * ONE + 1n) }, "minRoiPct"],
    [{ maxCollateralPerTrade: fromUnits(0n) }, "maxCollateralPerTrade"]
  ]

  it("of one's own needs every number in its range", () => {
    expect(fieldOf(custom)).toBeUndefined()
    for (const [changed, field] of refused) expect(fieldOf({ ...custom, ...changed })).toBe(field)
    const widest = { riskLevel: ONE, maxLossPct: fromUnits(100n * ONE), minRoiPct: fromUnits(100n * ONE) }
    expect(fieldOf({ ...custom, ...widest })).toBeUndefined()
  })
})
