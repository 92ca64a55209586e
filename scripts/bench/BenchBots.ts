import { Clock, Effect } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { after, type BotLifeEvent } from "../../engine/bots/Bot.ts"
import { create, move } from "../../engine/bots/BotLifeDecision.ts"
import { botStream, companyBotsStream } from "../../engine/bots/BotEvent.ts"
import { PRESETS, type Strategy } from "../../engine/bots/Strategy.ts"
import { fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { type Trader, within } from "./BenchWorld.ts"

const COLLATERAL = fromUnits(100n * ONE)

/** More evaluations than any case has. */
const CREDIT_BUDGET = fromUnits(100_000n * ONE)

const NO_ROOM = { collateral: ZERO, allowance: ZERO, held: ZERO }

/** Bots wait until there are five prices: this makes them wait for seconds instead of half a minute. */
export const HASTY = { ARENA_PRICE_INTERVAL_SECONDS: "1" }

const CONCURRENCY = 64

export const botIdOf = (index: number): string => `bot_${String(index).padStart(24, "0")}`

const record = Effect.fnUntraced(function* (stream: string, entry: Entry<BotLifeEvent>) {
  const [outcome] = yield* (yield* UnitOfWork).append({ stream, version: null, entries: [entry] })
  if (outcome?._tag !== "Accepted") return yield* Effect.die(outcome?.error)
})

const BALANCED: Strategy = { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: COLLATERAL }

/** Commits a little to whatever is not above its price, whether that is worth it or not. */
export const EAGER: Strategy = {
  ...BALANCED,
  riskPreset: "custom",
  minRoiPct: ZERO,
  maxCollateralPerTrade: fromUnits(10_000n)
}

/** Makes a bot for currencies, and starts it. */
const addOne = Effect.fnUntraced(function* (index: number, { companyId, userId }: Trader, strategy: Strategy) {
  const by = { at: yield* Clock.currentTimeMillis, by: userId }
  const made = create(
    {
      botId: botIdOf(index),
      companyId,
      userId,
      walletAddress: `0x${"b".repeat(40)}`,
      profile: {
        name: `Bot ${index}`,
        capabilities: ["fx"],
        strategy,
        creditBudget: CREDIT_BUDGET,
        autoTopUp: false
      },
      amount: COLLATERAL
    },
    by
  )
  yield* record(companyBotsStream(companyId), made)
  const bot = after(undefined, made.event)
  const started = yield* Effect.fromResult(move(bot, "start", NO_ROOM, false, by))
  if (started !== undefined) yield* record(botStream(bot.botId), started)
})

/** Adds active bots, in turns over traders whose companies get the plan for them. */
export const addBots = Effect.fnUntraced(function* (
  postgres: BenchPostgres,
  database: string,
  traders: ReadonlyArray<Trader>,
  count: number,
  strategy: Strategy = BALANCED
) {
  yield* postgres.script(database, ["UPDATE companies SET plan = 'enterprise' WHERE kind = 'house'"])
  const bots = Array.from({ length: count }, (_, index) => index)
  const adding = Effect.forEach(
    bots,
    (index) => addOne(index, traders[index % traders.length] ?? { companyId: "", userId: "", token: "" }, strategy),
    { concurrency: CONCURRENCY, discard: true }
  )
  yield* within(postgres, database, adding)
})
