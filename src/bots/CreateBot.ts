import { Clock, Effect, Result } from "effect"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { after, type BotState } from "../../engine/bots/Bot.ts"
import { create } from "../../engine/bots/BotLifeDecision.ts"
import { changeBot } from "../../engine/bots/BotManagement.ts"
import { type BotProfile, companyBotsStream } from "../../engine/bots/BotEvent.ts"
import { MONTHLY_CREDITS } from "../../engine/bots/EvaluationCredits.ts"
import { type ProfileChange, profileAfter } from "../../engine/bots/ProfileChange.ts"
import { type StrategyRequest, strategyOf } from "../../engine/bots/Strategy.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import * as Identifier from "../Identifier.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { barredAt, ownerOf } from "./BotAllotment.ts"
import { AccountNotCovering, NotOwner, WalletRequired } from "./BotError.ts"
import { BotRepository } from "./BotRepository.ts"
import { botStore, orUnavailable } from "./BotStore.ts"
import { InvalidStrategyModule, StrategyModules } from "./programs/StrategyModules.ts"

/** Who asks: a user stands for its company. */
export interface Caller {
  readonly userId: string
  readonly companyId: string
}

/** A bot as somebody wants it. */
export interface NewBot {
  readonly name: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly strategy: StrategyRequest
  /** What moves to it from the account of its user, 0 or more. */
  readonly collateral: Amount
  /** Credits a month; undefined for what the plan gives. */
  readonly creditBudget: Amount | undefined
  readonly autoTopUp: boolean
  /** The file of the module that decides; undefined for the strategy. */
  readonly strategyModule: string | undefined
}

/** The profile's part that names a module, where there is that file. */
const moduleOf = (
  { find }: StrategyModules["Service"],
  name: string | undefined
): Result.Result<Pick<BotProfile, "strategyModule">, InvalidStrategyModule> =>
  name === undefined
    ? Result.succeed({})
    : Result.mapBoth(find(name), {
        onSuccess: () => ({ strategyModule: name }),
        onFailure: (why) => new InvalidStrategyModule({ why })
      })

/** The bot, where the caller's company owns it. */
export const owned = Effect.fnUntraced(function* ({ companyId }: Caller, botId: string) {
  const bot = yield* (yield* BotRepository).find(botId)
  return bot?.companyId === companyId ? bot : yield* new NotOwner({ botId })
})

/** What is missing on the account that funds a bot. */
export const notCovering =
  (field: string) =>
  ({ available, needed }: InsufficientFunds) =>
    Effect.fail(new AccountNotCovering({ field, available, needed }))

/** Makes a bot of the person behind the caller, on the number of bots that there are. */
export const made = Effect.fnUntraced(function* (caller: Caller, wanted: NewBot, idempotency: Idempotency | undefined) {
  const repository = yield* BotRepository
  const botId = yield* Identifier.make("bot")
  const attempt = Effect.gen(function* () {
    const { personId } = yield* ownerOf(caller.userId)
    const person = yield* ownerOf(personId)
    const { living, version } = yield* repository.count(caller.companyId)
    const { precondition, ...rights } = yield* (yield* Companies).botRights(caller.companyId)
    const barred = barredAt(rights, living, "bots")
    if (barred !== undefined) return yield* barred
    const { walletAddress } = person
    if (walletAddress === undefined) return yield* new WalletRequired()
    const { autoTopUp, capabilities, collateral: amount, name } = wanted
    const creditBudget = wanted.creditBudget ?? MONTHLY_CREDITS[rights.plan]
    const strategy = yield* Effect.fromResult(strategyOf(wanted.strategy))
    const module = yield* Effect.fromResult(moduleOf(yield* StrategyModules, wanted.strategyModule))
    const profile: BotProfile = { name, capabilities, strategy, creditBudget, autoTopUp, ...module }
    const bot = { botId, companyId: caller.companyId, userId: personId, walletAddress, profile, amount }
    const { commands, event } = create(bot, { at: yield* Clock.currentTimeMillis, by: caller.userId })
    yield* writeEntry({
      stream: companyBotsStream(caller.companyId),
      version,
      preconditions: [precondition],
      entry: { commands, event, idempotency }
    })
    return after(undefined, event)
  })
  return yield* attempt.pipe(
    retryStale,
    Effect.catchTag("InsufficientFunds", notCovering("collateral_amount")),
    dieOnRefusal
  )
})

/** Changes a bot; one that is asked for what it is stays as it was. */
export const changed = Effect.fnUntraced(function* (caller: Caller, botId: string, wanted: ProfileChange) {
  const modules = yield* StrategyModules
  const profileOf = ({ profile }: BotState) =>
    Effect.fromResult(profileAfter(profile, wanted, (name) => moduleOf(modules, name)))
  const { bot } = yield* changeBot(botStore, owned(caller, botId), profileOf, caller.userId)
  return bot
}, orUnavailable)
