import { Effect, Result } from "effect"
import { StaleVersion } from "../../engine/actor/Journal.ts"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { create } from "../../engine/bots/BotLifeDecision.ts"
import { type BotDecided, type BotProfile, botStream, streamOf } from "../../engine/bots/BotEvent.ts"
import { evaluate, type EvaluationInput } from "../../engine/bots/Evaluation.ts"
import { chargeCommands, creditsStream } from "../../engine/bots/EvaluationCredits.ts"
import { PRESETS } from "../../engine/bots/Strategy.ts"
import { accountParts } from "../../engine/ledger/Account.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { CompanyCredits } from "../../src/bots/credits/CompanyCredits.ts"
import type { Payer } from "../../engine/bots/Charging.ts"
import { retryStale, writeEntry } from "../../src/database/EntryWriting.ts"
import type { TestServer } from "./TestServer.ts"

export const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

const profileOf = (budget: number, autoTopUp: boolean): BotProfile => ({
  name: "Robot",
  capabilities: [...ASSET_TYPES],
  strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: credits(1_000) },
  creditBudget: credits(budget),
  autoTopUp
})

let made = 0

/** Records a bot of a user's company, whatever the plan. */
export const makeBot = (
  server: TestServer,
  user: { readonly id: string; readonly companyId: string },
  budget = 1_000,
  autoTopUp = false
): Effect.Effect<Payer> =>
  server.run(
    Effect.gen(function* () {
      made += 1
      const botId = `bot_${String(made).padStart(24, "0")}`
      const { companyId, id: userId } = user
      const profile = profileOf(budget, autoTopUp)
      const of = { botId, companyId, userId, walletAddress: `0x${"a".repeat(40)}`, profile, amount: ZERO }
      const entry = create(of, { at: server.world.now, by: userId })
      yield* writeEntry({ stream: streamOf(entry.event), version: null, entry })
      return { botId, companyId, userId, creditBudget: profile.creditBudget, autoTopUp }
    })
  )

const inputOf = (orderId: string, at: number): EvaluationInput => ({
  at,
  strategy: profileOf(0, false).strategy,
  order: { orderId, assetType: "fx", entryPrice: ONE, quantity: ONE, expiryAt: at + 1 },
  prices: [],
  freeCollateral: ZERO,
  lossBudget: ZERO,
  capable: true,
  halted: false,
  shade: ZERO
})

const overtaken = ({ account }: InsufficientFunds) =>
  new StaleVersion({ stream: creditsStream(accountParts(account).owner), expected: 0, actual: 0 })

/** Decides about an order as a bot's actor does on demand, as often as it takes; undefined where its credits are gone. */
export const decideOnce = (
  server: TestServer,
  bot: Payer,
  orderId: string,
  decisionId: string,
  at: number
): Effect.Effect<BotDecided | undefined> => {
  const { botId } = bot
  const attempt = Effect.gen(function* () {
    const prepared = yield* (yield* CompanyCredits).prepare(bot, decisionId, at)
    if (Result.isFailure(prepared)) return undefined
    const { charge, precondition } = prepared.success
    const input = inputOf(orderId, at)
    const of = { at, by: bot.userId, botId, decisionId, orderId, dryRun: true }
    const event: BotDecided = { _tag: "BotDecided", ...of, input, decision: evaluate(input), charge }
    const entry = { commands: chargeCommands(charge), event }
    yield* writeEntry({ stream: botStream(botId), version: null, preconditions: [precondition], entry })
    return event
  })
  return server.run(retryStale(Effect.catchTag(attempt, "InsufficientFunds", (error) => Effect.fail(overtaken(error)))))
}
