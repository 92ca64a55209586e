import { Effect, Result } from "effect"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { BotState } from "../../engine/bots/Bot.ts"
import type { BotAct } from "../../engine/bots/BotLifecycle.ts"
import { actOnBot, type BotRights, fundBot, withdrawFromBot } from "../../engine/bots/BotManagement.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Breakers } from "../arena/Breakers.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Companies } from "../identity/companies/Companies.ts"
import type { Owners } from "../identity/users/Owners.ts"
import { allotmentOf, barredAt, ownerOf } from "./BotAllotment.ts"
import { type Barred, NotItsUser } from "./BotError.ts"
import { type Caller, notCovering, owned } from "./CreateBot.ts"
import { BotRepository } from "./BotRepository.ts"
import { botStore, orUnavailable } from "./BotStore.ts"
import { ModuleNotThere, StrategyModules } from "./programs/StrategyModules.ts"
import { CompanyCredits } from "./credits/CompanyCredits.ts"

type Services = BotRepository | Companies | CompanyCredits | Owners | StrategyModules

const isWithoutCredits = Effect.fnUntraced(function* ({ botId, companyId, profile, userId }: BotState) {
  const { autoTopUp, creditBudget } = profile
  const { goneFor } = yield* CompanyCredits
  return (yield* goneFor({ botId, companyId, userId, creditBudget, autoTopUp })) !== undefined
})

/** Withdrawn bots are refused as such. */
const isBeyondPlan = Effect.fnUntraced(function* ({ companyId, userId }: BotState) {
  const { active } = yield* (yield* BotRepository).count(companyId)
  const owner = yield* ownerOf(userId)
  return !owner.botsWithdrawn && active >= allotmentOf(owner)
})

const admit = Effect.fnUntraced(function* ({ companyId, profile }: BotState) {
  const { strategyModule } = profile
  const found = strategyModule === undefined ? undefined : (yield* StrategyModules).find(strategyModule)
  if (found !== undefined && Result.isFailure(found)) return yield* new ModuleNotThere({ why: found.failure })
  const { precondition, ...rights } = yield* (yield* Companies).botRights(companyId)
  const { active } = yield* (yield* BotRepository).count(companyId)
  const barred = barredAt(rights, active, "active bots")
  return barred === undefined ? [precondition] : yield* barred
})

const makeRights = Effect.map(Breakers, ({ halt }): BotRights<Barred | ModuleNotThere, Unavailable, Services> => ({
  halt,
  isWithoutCredits,
  isBeyondPlan,
  admit
}))

/** Starts, pauses, resumes or terminates a bot of the caller's company. */
export const acted = Effect.fnUntraced(function* (caller: Caller, botId: string, asked: BotAct) {
  const { bot } = yield* actOnBot(botStore, yield* makeRights, owned(caller, botId), asked, caller.userId)
  return bot
}, orUnavailable)

/** Moves USD of the bot's user to the bot, for that user. */
export const funded = Effect.fnUntraced(
  function* (caller: Caller, botId: string, amount: Amount, idempotency: Idempotency | undefined) {
    const itsUsers = Effect.gen(function* () {
      const bot = yield* owned(caller, botId)
      const { personId } = yield* ownerOf(caller.userId)
      return personId === bot.userId ? bot : yield* new NotItsUser({ botId })
    })
    const { event } = yield* fundBot(botStore, itsUsers, { amount, by: caller.userId, idempotency })
    return event
  },
  Effect.catchTag("InsufficientFunds", notCovering("amount")),
  orUnavailable
)

/** Moves free collateral of the bot back to its user, whoever of the company asks. */
export const withdrawn = Effect.fnUntraced(function* (
  caller: Caller,
  botId: string,
  amount: Amount,
  idempotency: Idempotency | undefined
) {
  const movement = { amount, by: caller.userId, idempotency }
  const { event } = yield* withdrawFromBot(botStore, owned(caller, botId), movement)
  return event
}, orUnavailable)
