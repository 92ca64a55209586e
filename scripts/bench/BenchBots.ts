import { Clock, Effect } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { after, type BotLifeEvent } from "../../engine/bot/Bot.ts"
import { create, move } from "../../engine/bot/BotDecision.ts"
import { botStream, companyBotsStream } from "../../engine/bot/BotEvent.ts"
import { PRESETS } from "../../engine/bot/Strategy.ts"
import { fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { type Trader, within } from "./BenchWorld.ts"

const COLLATERAL = fromUnits(100n * ONE)
const NO_ROOM = { collateral: ZERO, allowance: ZERO, held: ZERO }

const CONCURRENCY = 64

const record = Effect.fnUntraced(function* (stream: string, entry: Entry<BotLifeEvent>) {
  const [outcome] = yield* (yield* UnitOfWork).append({ stream, version: null, entries: [entry] })
  if (outcome?._tag !== "Accepted") return yield* Effect.die(outcome?.error)
})

/** Makes a balanced bot for currencies, and starts it. */
const addOne = Effect.fnUntraced(function* (index: number, { companyId, userId }: Trader) {
  const by = { at: yield* Clock.currentTimeMillis, by: userId }
  const made = create(
    {
      botId: `bot_${String(index).padStart(24, "0")}`,
      companyId,
      userId,
      walletAddress: `0x${"b".repeat(40)}`,
      profile: {
        name: `Bot ${index}`,
        capabilities: ["fx"],
        strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: COLLATERAL },
        creditBudget: COLLATERAL,
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
  count: number
) {
  yield* postgres.script(database, ["UPDATE companies SET plan = 'enterprise' WHERE kind = 'house'"])
  const bots = Array.from({ length: count }, (_, index) => index)
  const adding = Effect.forEach(
    bots,
    (index) => addOne(index, traders[index % traders.length] ?? { companyId: "", userId: "", token: "" }),
    { concurrency: CONCURRENCY, discard: true }
  )
  yield* within(postgres, database, adding)
})
