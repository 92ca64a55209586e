import { Effect, Result, Schema } from "effect"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import type { BacktestPlan } from "../../engine/bot/Backtest.ts"
import { PRESETS, RISK_PRESETS, strategyOf } from "../../engine/bot/Strategy.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { AmountFromNumber } from "../../src/api/Money.ts"
import { CommandFailed } from "../../src/cli/CommandFailed.ts"

/** A bot as far as a backtest knows one. */
export interface TestedBot extends Pick<BacktestPlan, "strategy" | "capabilities" | "collateral" | "creditBudget"> {
  readonly name: string
}

/** The presets that need no file. */
export type PresetName = keyof typeof PRESETS

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name)

/** A fund that is large enough for several orders of 10,000 USD at 3.81 %, each of which may take its whole collateral. */
const COLLATERAL = fromUnits(10_000n * ONE)
const LARGEST_TRADE = fromUnits(400n * ONE)

/** A preset's numbers with 10,000 USD behind them, trading everything that has daily closes. */
export const presetBot = (name: PresetName): TestedBot => ({
  name,
  strategy: { riskPreset: name, ...PRESETS[name], maxCollateralPerTrade: LARGEST_TRADE },
  capabilities: ["fx", "commodity"],
  collateral: COLLATERAL
})

const BotRequest = Schema.Struct({
  name: Schema.String,
  capabilities: Schema.NonEmptyArray(Schema.Literals(ASSET_TYPES)),
  strategy: Schema.Struct({
    riskPreset: Schema.Literals(RISK_PRESETS),
    riskLevel: Schema.optionalKey(AmountFromNumber),
    maxLossPct: Schema.optionalKey(AmountFromNumber),
    minRoiPct: Schema.optionalKey(AmountFromNumber),
    maxCollateralPerTrade: AmountFromNumber
  }),
  collateral_amount: AmountFromNumber,
  credit_budget: Schema.optionalKey(AmountFromNumber)
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BotRequest))

/**
 * Reads the body that creates a bot (Specification 2.18), so that what is tested is what is posted.
 *
 * @param path - named where the text is refused
 */
export const botOf = Effect.fnUntraced(function* (
  path: string,
  text: string
): Effect.fn.Return<TestedBot, CommandFailed> {
  const refused = (what: string) => new CommandFailed({ message: `${path}: ${what.replaceAll(/\s*\n\s*/g, ", ")}` })
  const bot = yield* Effect.mapError(decode(text), (error) => refused(error.message))
  const strategy = strategyOf(bot.strategy)
  if (Result.isFailure(strategy)) {
    return yield* refused(`strategy.${strategy.failure.field}: expected ${strategy.failure.expected}`)
  }
  if (bot.collateral_amount === 0n) return yield* refused("collateral_amount: expected more than 0")
  return {
    name: bot.name,
    strategy: strategy.success,
    capabilities: bot.capabilities,
    collateral: bot.collateral_amount,
    ...(bot.credit_budget !== undefined && { creditBudget: bot.credit_budget })
  }
})
