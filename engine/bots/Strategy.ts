import { Result, Schema } from "effect"
import { Amount, fromUnits, ONE } from "../money/Amount.ts"
import { refusal } from "../wire/Refusal.ts"

export const RISK_PRESETS = ["conservative", "balanced", "aggressive", "custom"] as const

export type RiskPreset = (typeof RISK_PRESETS)[number]

/** The numbers of a strategy, all in 10⁻⁶. */
const risk = {
  /** How far the fair price follows what the history says, from 0 (not at all) to 1. */
  riskLevel: Amount,
  /** The largest part of the net funding that may be lost, in percent: above 0, at most 100. */
  maxLossPct: Amount,
  /** The least return on the collateral that is worth a commitment, in percent. */
  minRoiPct: Amount
}

/** How a bot decides. Specification 2.18. */
export const Strategy = Schema.Struct({
  riskPreset: Schema.Literals(RISK_PRESETS),
  ...risk,
  /** The most collateral of one commitment, in 10⁻⁶ USD: above 0. */
  maxCollateralPerTrade: Amount
})
export type Strategy = typeof Strategy.Type

type Risk = Pick<Strategy, "riskLevel" | "maxLossPct" | "minRoiPct">

/** What a caller gives: a named preset brings the numbers that are left out. */
export interface StrategyRequest {
  readonly riskPreset: RiskPreset
  readonly riskLevel?: Amount | undefined
  readonly maxLossPct?: Amount | undefined
  readonly minRoiPct?: Amount | undefined
  readonly maxCollateralPerTrade: Amount
}

/** The strategy cannot be followed. */
export class InvalidStrategy extends refusal(
  "InvalidStrategy",
  "unprocessable",
  ({
    expected,
    field
  }: {
    readonly field: "riskLevel" | "maxLossPct" | "minRoiPct" | "maxCollateralPerTrade"
    readonly expected: string
  }) => `payload.strategy.${field}: Expected ${expected}`
) {}

const percent = (whole: bigint): Amount => fromUnits(whole * ONE)

export const MAX_PERCENT = percent(100n)

/** The numbers of the named presets. */
export const PRESETS: Readonly<Record<Exclude<RiskPreset, "custom">, Risk>> = {
  conservative: { riskLevel: fromUnits(250_000n), maxLossPct: percent(5n), minRoiPct: percent(10n) },
  balanced: { riskLevel: fromUnits(500_000n), maxLossPct: percent(10n), minRoiPct: percent(5n) },
  aggressive: { riskLevel: fromUnits(800_000n), maxLossPct: percent(25n), minRoiPct: percent(2n) }
}

const FIELDS = ["riskLevel", "maxLossPct", "minRoiPct"] as const

/** The strategy of a request. `custom` needs all numbers; those given with a named preset replace the preset's own. */
export const strategyOf = (request: StrategyRequest): Result.Result<Strategy, InvalidStrategy> => {
  const { maxCollateralPerTrade, riskPreset } = request
  if (maxCollateralPerTrade <= 0n) return invalid("maxCollateralPerTrade", "a positive amount")
  const preset = riskPreset === "custom" ? undefined : PRESETS[riskPreset]
  return Result.map(riskOf(request, preset), (risk): Strategy => ({ riskPreset, ...risk, maxCollateralPerTrade }))
}

/** The numbers of a strategy that are not its preset's own. */
export const overridesOf = (strategy: Strategy): ReadonlyArray<keyof Risk> => {
  const preset = strategy.riskPreset === "custom" ? undefined : PRESETS[strategy.riskPreset]
  return preset === undefined ? [] : FIELDS.filter((field) => strategy[field] !== preset[field])
}

const riskOf = (request: StrategyRequest, preset: Risk | undefined): Result.Result<Risk, InvalidStrategy> => {
  const riskLevel = request.riskLevel ?? preset?.riskLevel
  const maxLossPct = request.maxLossPct ?? preset?.maxLossPct
  const minRoiPct = request.minRoiPct ?? preset?.minRoiPct
  if (riskLevel === undefined || riskLevel < 0n || riskLevel > ONE) return invalid("riskLevel", "from 0 to 1")
  if (maxLossPct === undefined || maxLossPct <= 0n || maxLossPct > MAX_PERCENT) {
    return invalid("maxLossPct", "a percentage above 0, at most 100")
  }
  return minRoiPct === undefined || minRoiPct < 0n || minRoiPct > MAX_PERCENT
    ? invalid("minRoiPct", "a percentage from 0 to 100")
    : Result.succeed({ riskLevel, maxLossPct, minRoiPct })
}

const invalid = (field: InvalidStrategy["field"], expected: string) =>
  Result.fail(new InvalidStrategy({ field, expected }))
