import { Clock, Effect } from "effect"
import type { Entry, Idempotency, Precondition, StaleVersion } from "../actor/Journal.ts"
import { retryStale } from "../actor/StaleRetry.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Halt } from "../arena/Submission.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import type { BotLifeEvent, BotState } from "./Bot.ts"
import { isHalted } from "./BotActor.ts"
import { type BotRoom, change, fund, giveBack, move, roomFor, suspended, withdraw } from "./BotLifeDecision.ts"
import type { BotProfile } from "./BotEvent.ts"
import type { BotAct, SuspensionCause } from "./BotLifecycle.ts"
import { type BotStore, found, type Stepped, type WriteFailure, writeStep } from "./BotRecords.ts"

/** What a bot's becoming active rests on; `Barred` is a plan that has no room for it. */
export interface BotRights<Barred, Failure, Services = never> {
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  /** Whether the bot could not pay for an evaluation now. */
  readonly isWithoutCredits: (bot: BotState) => Effect.Effect<boolean, Failure, Services>
  /** Whether its company has as many active bots as its plan lets it have. */
  readonly isBeyondPlan: (bot: BotState) => Effect.Effect<boolean, Failure, Services>
  /** Lets its company have one more active bot; gives what that was decided on. */
  readonly admit: (bot: BotState) => Effect.Effect<ReadonlyArray<Precondition>, Barred | Failure, Services>
}

/** Whether what suspended a bot still holds. */
const stillHolds = <Failure, Services = never>(
  rights: Omit<BotRights<never, Failure, Services>, "admit">,
  bot: BotState,
  cause: SuspensionCause,
  room: BotRoom,
  at: number
): Effect.Effect<boolean, Failure, Services> => {
  switch (cause) {
    case "plan_downgraded":
      return rights.isBeyondPlan(bot)
    case "credits_gone":
      return rights.isWithoutCredits(bot)
    case "loss_limit":
      return Effect.succeed(room.allowance <= ZERO)
    // Whether a mended module fails again shows once it runs.
    case "module_failed":
      return Effect.succeed(false)
    case "breaker_open":
      return Effect.succeed(isHalted(bot.profile.capabilities, rights.halt, at))
  }
}

/** Reads a bot, decides on what it is then, and writes that; anew where somebody else wrote first. */
const decided = <A, Unread, Failure, Services, Reads>(
  read: Effect.Effect<BotState, Unread, Reads>,
  write: (bot: BotState, at: number) => Effect.Effect<A, Failure, Services>
): Effect.Effect<A, Unread | Failure | StaleVersion, Services | Reads> =>
  retryStale(Effect.flatMap(read, (bot) => Effect.flatMap(Clock.currentTimeMillis, (at) => write(bot, at))))

/** Writes a step where there is one. */
const writeAny = <E extends BotLifeEvent, Failure, Services = never>(
  store: BotStore<Failure, Services>,
  bot: BotState,
  entry: Entry<E> | undefined
): Effect.Effect<Stepped<E | undefined>, WriteFailure<Failure>, Services> =>
  entry === undefined ? Effect.succeed({ bot, event: undefined }) : writeStep(store, bot, entry)

/** Starts, pauses, resumes or terminates a bot for somebody; `read` gives it. */
export const actOnBot = <Unread, Barred, Failure, Services = never, Needs = never, Reads = never>(
  store: BotStore<Failure, Services>,
  rights: BotRights<Barred, Failure, Needs>,
  read: Effect.Effect<BotState, Unread, Reads>,
  asked: BotAct,
  by: string
) =>
  decided(
    read,
    Effect.fnUntraced(function* (bot, at) {
      const { cause } = bot.standing
      const room = yield* store.room(bot.botId)
      const holds = cause !== null && asked === "resume" && (yield* stillHolds(rights, bot, cause, room, at))
      const entry = yield* Effect.fromResult(move(bot, asked, room, holds, { at, by }))
      if (entry === undefined) return { bot, event: undefined }
      const preconditions = asked === "start" || asked === "resume" ? yield* rights.admit(bot) : []
      return yield* writeStep(store, bot, entry, { preconditions })
    })
  )

/** An amount that somebody moves, under a key of its own where there is one. */
export interface Movement {
  readonly amount: Amount
  readonly by: string
  readonly idempotency?: Idempotency | undefined
}

/** Moves USD of a bot's user to the bot, as far as it has room for them. */
export const fundBot = <Unread, Failure, Services = never, Reads = never>(
  store: BotStore<Failure, Services>,
  read: Effect.Effect<BotState, Unread, Reads>,
  { amount, by, idempotency }: Movement
) =>
  decided(
    read,
    Effect.fnUntraced(function* (bot, at) {
      const entry = yield* Effect.fromResult(fund(bot, amount, { at, by }))
      yield* Effect.fromResult(roomFor(bot, amount, yield* store.room(bot.botId)))
      return yield* writeStep(store, bot, entry, { idempotency })
    })
  )

/** Moves free collateral of a bot back to its user. */
export const withdrawFromBot = <Unread, Failure, Services = never, Reads = never>(
  store: BotStore<Failure, Services>,
  read: Effect.Effect<BotState, Unread, Reads>,
  { amount, by, idempotency }: Movement
) =>
  decided(
    read,
    Effect.fnUntraced(function* (bot, at) {
      const room = yield* store.room(bot.botId)
      const entry = yield* Effect.fromResult(withdraw(bot, amount, room, { at, by }))
      return yield* writeStep(store, bot, entry, { idempotency })
    })
  )

/** Two profiles with one text are the same. */
const textOf = ({ autoTopUp, capabilities, creditBudget, name, strategy, strategyModule }: BotProfile): string => {
  const { maxCollateralPerTrade, maxLossPct, minRoiPct, riskLevel, riskPreset } = strategy
  const numbers = [maxCollateralPerTrade, maxLossPct, minRoiPct, riskLevel, creditBudget].map(String)
  return JSON.stringify([name, capabilities, riskPreset, autoTopUp, strategyModule ?? null, ...numbers])
}

/** Changes a bot's profile; one that is asked for what it is stays as it was. */
export const changeBot = <Unread, Refusal, Failure, Services = never, Reads = never>(
  store: BotStore<Failure, Services>,
  read: Effect.Effect<BotState, Unread, Reads>,
  profileOf: (bot: BotState) => Effect.Effect<BotProfile, Refusal>,
  by: string
) =>
  decided(
    read,
    Effect.fnUntraced(function* (bot, at) {
      const profile = yield* profileOf(bot)
      const room = yield* store.room(bot.botId)
      const entry = yield* Effect.fromResult(change(bot, profile, room, { at, by }))
      return yield* writeAny(store, bot, textOf(profile) === textOf(bot.profile) ? undefined : entry)
    })
  )

/** What a module failed with, in words for its bot's owner. */
export interface ModuleFailure {
  readonly module: string
  readonly failure: string
}

/** Suspends a bot where it is active; for a module that failed, where the bot still has that one. */
export const suspendBot = <Failure, Services = never>(
  store: BotStore<Failure, Services>,
  botId: string,
  cause: SuspensionCause,
  failed?: ModuleFailure
) =>
  decided(found(store, botId), (bot, at) => {
    const isOfAnother = failed !== undefined && failed.module !== bot.profile.strategyModule
    return writeAny(store, bot, isOfAnother ? undefined : suspended(bot, cause, at, failed?.failure))
  })

/** Gives back what was set free since a bot was terminated. */
export const returnFreed = <Failure, Services = never>(store: BotStore<Failure, Services>, botId: string) =>
  decided(found(store, botId), (bot, at) =>
    Effect.flatMap(store.room(botId), (room) => writeAny(store, bot, giveBack(bot, room, at)))
  )
