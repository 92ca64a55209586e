import { Clock, Data, Effect, Result } from "effect"
import type { Idempotency, Premise } from "../../engine/actor/Journal.ts"
import type { BotState } from "../../engine/bot/Bot.ts"
import { isHalted } from "../../engine/bot/BotActor.ts"
import { type BotRoom, fund, giveBack, move, suspended, withdraw } from "../../engine/bot/BotDecision.ts"
import { botStream } from "../../engine/bot/BotEvent.ts"
import type { BotAct, SuspensionCause } from "../../engine/bot/BotLifecycle.ts"
import { type Amount, ZERO } from "../../engine/money/Amount.ts"
import { Breakers } from "../arena/Breakers.ts"
import { dieOnRefusal, retryStale } from "../database/EntryWriting.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { allotmentOf, barredAt, ownerOf } from "./BotAllotment.ts"
import { NotItsUser } from "./BotError.ts"
import { type Caller, notCovering, owned } from "./BotMaking.ts"
import { BotRepository } from "./BotRepository.ts"
import { accountsOfOne, roomOf, writeStep } from "./BotWriting.ts"
import { CreditsDesk } from "./credits/CreditsDesk.ts"

/** Bots that are paused at the same time. */
const PAUSED_AT_ONCE = 50

/** Whether what suspended a bot still holds. */
const stillHolds = Effect.fnUntraced(function* (bot: BotState, cause: SuspensionCause, room: BotRoom, at: number) {
  switch (cause) {
    case "plan_downgraded": {
      const { active } = yield* (yield* BotRepository).count(bot.companyId)
      const owner = yield* ownerOf(bot.userId)
      // Withdrawn bots are refused as such.
      return !owner.botsWithdrawn && active >= allotmentOf(owner)
    }
    case "credits_gone": {
      const { autoTopUp, creditBudget } = bot.profile
      const payer = { botId: bot.botId, companyId: bot.companyId, userId: bot.userId, creditBudget, autoTopUp }
      return (yield* (yield* CreditsDesk).goneFor(payer)) !== undefined
    }
    case "loss_limit":
      return room.allowance <= ZERO
    case "breaker_open":
      return isHalted(bot.profile.capabilities, (yield* Breakers).halt, at)
  }
})

/** A bot becomes active only where the plan lets the company have one more; gives what that rests on. */
const roomForOne = Effect.fnUntraced(function* ({ companyId }: BotState) {
  const { premise, ...rights } = yield* (yield* Companies).botRights(companyId)
  const { active } = yield* (yield* BotRepository).count(companyId)
  const barred = barredAt(rights, active, "active bots")
  return barred === undefined ? [premise] : yield* barred
})

/** Starts, pauses, resumes or terminates a bot of the caller's company. */
export const acted = (caller: Caller, botId: string, asked: BotAct) =>
  Effect.gen(function* () {
    const bot = yield* owned(caller, botId)
    const at = yield* Clock.currentTimeMillis
    const { cause } = bot.standing
    const room = roomOf(yield* accountsOfOne(botId))
    const holds = cause !== null && asked === "resume" && (yield* stillHolds(bot, cause, room, at))
    const entry = yield* Effect.fromResult(move(bot, asked, room, holds, { at, by: caller.userId }))
    if (entry === undefined) return bot
    const premises = asked === "start" || asked === "resume" ? yield* roomForOne(bot) : []
    return yield* writeStep(bot, entry, undefined, premises)
  }).pipe(retryStale, dieOnRefusal)

/** Moves USD of the bot's user to the bot, for that user. */
export const funded = (caller: Caller, botId: string, amount: Amount, idempotency: Idempotency | undefined) =>
  Effect.gen(function* () {
    const bot = yield* owned(caller, botId)
    const { personId } = yield* ownerOf(caller.userId)
    if (personId !== bot.userId) return yield* new NotItsUser({ botId })
    const entry = yield* Effect.fromResult(fund(bot, amount, { at: yield* Clock.currentTimeMillis, by: caller.userId }))
    yield* writeStep(bot, entry, idempotency)
    return entry.event
  }).pipe(retryStale, Effect.catchTag("InsufficientFunds", notCovering("amount")), dieOnRefusal)

/** Moves free collateral of the bot back to its user, whoever of the company asks. */
export const withdrawn = (caller: Caller, botId: string, amount: Amount, idempotency: Idempotency | undefined) =>
  Effect.gen(function* () {
    const bot = yield* owned(caller, botId)
    const room = roomOf(yield* accountsOfOne(botId))
    const actor = { at: yield* Clock.currentTimeMillis, by: caller.userId }
    const entry = yield* Effect.fromResult(withdraw(bot, amount, room, actor))
    yield* writeStep(bot, entry, idempotency)
    return entry.event
  }).pipe(retryStale, dieOnRefusal)

const found = Effect.fnUntraced(function* (botId: string) {
  return (yield* (yield* BotRepository).find(botId)) ?? (yield* Effect.die(`there is no bot ${botId}`))
})

/** Suspends a bot where it is active. */
export const suspendedFor = (botId: string, cause: SuspensionCause) =>
  Effect.gen(function* () {
    const bot = yield* found(botId)
    const entry = suspended(bot, cause, yield* Clock.currentTimeMillis)
    if (entry !== undefined) yield* writeStep(bot, entry)
  }).pipe(retryStale, dieOnRefusal)

/** Gives back what was set free since a bot was terminated. */
export const returned = (botId: string) =>
  Effect.gen(function* () {
    const bot = yield* found(botId)
    const entry = giveBack(bot, roomOf(yield* accountsOfOne(botId)), yield* Clock.currentTimeMillis)
    if (entry !== undefined) yield* writeStep(bot, entry)
  }).pipe(retryStale, dieOnRefusal)

/** What bots were to be paused for is no more: somebody asked again. */
export class GuardReplaced extends Data.TaggedError("GuardReplaced")<{ readonly stream: string }> {}

/** Who has bots paused, and the guard that it follows from. */
export interface Pausing {
  readonly by: string | null
  readonly guard?: Premise
}

/** Pauses one where it is active; answers whether it was. */
const pausedWhereActive = (botId: string, { by, guard }: Pausing) =>
  Effect.gen(function* () {
    const bot = yield* found(botId)
    if (bot.standing.status !== "active") return false
    const actor = { at: yield* Clock.currentTimeMillis, by }
    const entry = move(bot, "pause", { collateral: ZERO, allowance: ZERO, held: ZERO }, false, actor)
    if (Result.isFailure(entry)) return yield* Effect.die(entry.failure)
    if (entry.success !== undefined) yield* writeStep(bot, entry.success, undefined, guard && [guard])
    return true
  }).pipe(
    Effect.catchTag("StaleVersion", (stale) =>
      Effect.fail(stale.stream === botStream(botId) ? stale : new GuardReplaced({ stream: stale.stream }))
    ),
    retryStale,
    dieOnRefusal
  )

/** Pauses a company's bots that are active; answers which they were. Fails once the guard that it follows from is another. */
export const allPaused = Effect.fnUntraced(function* (companyId: string, pausing: Pausing) {
  const repository = yield* BotRepository
  const ids = (yield* repository.active(companyId)).map(({ botId }) => botId)
  const paused = yield* Effect.forEach(ids, (botId) => pausedWhereActive(botId, pausing), {
    concurrency: PAUSED_AT_ONCE
  })
  return ids.filter((_, index) => paused[index])
})
