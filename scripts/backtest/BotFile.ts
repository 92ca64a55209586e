import { Effect, Result, Schema } from "effect"
import type { BacktestPlan } from "../../engine/bots/Backtest.ts"
import { PRESETS, strategyOf } from "../../engine/bots/Strategy.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { BotCreation } from "../../src/api/Bots.ts"
import { CommandFailed } from "../../src/cli/CommandFailed.ts"

/** A bot as far as a backtest knows one. */
export interface TestedBot extends Pick<BacktestPlan, "strategy" | "capabilities" | "collateral" | "creditBudget"> {
  readonly name: string
}

/** The presets that need no file. */
export type PresetName = keyof typeof PRESETS

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name)

/** Where a bot's file does not say: enough for several orders of 10,000 USD at 3.81 %, each of which may take its whole collateral. */
const COLLATERAL = fromUnits(10_000n * ONE)
const LARGEST_TRADE = fromUnits(400n * ONE)

/** A preset's numbers with 10,000 USD behind them, trading everything that has daily closes. */
export const presetBot = (name: PresetName): TestedBot => ({
  name,
  strategy: { riskPreset: name, ...PRESETS[name], maxCollateralPerTrade: LARGEST_TRADE },
  capabilities: ["fx", "commodity"],
  collateral: COLLATERAL
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BotCreation))

/**
 * Reads the body that creates a bot (Specification 2.18), so that what is tested is what is posted. Without a
 * `collateral_amount` it has 10,000 USD, without a `credit_budget` as many credits as it needs.
 *
 * @param path - named where the text is refused
 */
export const botOf = Effect.fnUntraced(function* (
  path: string,
  text: string
): Effect.fn.Return<TestedBot, CommandFailed> {
  const refused = (what: string) => new CommandFailed({ message: `${path}: ${what.replaceAll(/\s*\n\s*/g, ", ")}` })
  const bot = yield* Effect.mapError(decode(text), (error) => refused(error.message))
  if (bot.strategy_module !== undefined) {
    return yield* refused(
      "strategy_module: play it by `emporion replay-market --with FILE`; a backtest has strategies alone"
    )
  }
  const strategy = strategyOf(bot.strategy)
  if (Result.isFailure(strategy)) {
    return yield* refused(`strategy.${strategy.failure.field}: expected ${strategy.failure.expected}`)
  }
  const collateral = bot.collateral_amount ?? COLLATERAL
  if (collateral === 0n) return yield* refused("collateral_amount: expected more than 0")
  return {
    name: bot.name,
    strategy: strategy.success,
    capabilities: bot.capabilities,
    collateral,
    ...(bot.credit_budget !== undefined && { creditBudget: fromUnits(BigInt(bot.credit_budget) * ONE) })
  }
})
