/** Decides what happens to a bot: its creation, changes, money, moves and suspension. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { Account } from "../ledger/Account.ts"
import { type Amount, format, fromUnits, MAX, ZERO } from "../money/Amount.ts"
import { type BotLifeEvent, type BotState } from "./Bot.ts"
import { lossLimitOf } from "../ledger/LossLimit.ts"
import { botCommands } from "./BotCommands.ts"
import type {
  BotChanged,
  BotCreated,
  BotDecided,
  BotFunded,
  BotPaused,
  BotProfile,
  BotResumed,
  BotReturned,
  BotStarted,
  BotSuspended,
  BotTerminated,
  BotWithdrawn
} from "./BotEvent.ts"
import { act, type BotAct, type IllegalBotAct, type StillSuspended, type SuspensionCause } from "./BotLifecycle.ts"
import { refusal } from "../wire/Refusal.ts"

/** When, and by whom; null for the platform. */
export interface BotActor {
  readonly at: number
  readonly by: string | null
}

/** What is free of a bot's accounts, as it was read. The ledger refuses what turns out to be less. */
export interface BotRoom {
  /** Its collateral that nothing holds. */
  readonly collateral: Amount
  /** What it may still lose, and what is held of that. */
  readonly allowance: Amount
  readonly held: Amount
}

/** The same with all of its collateral, held or free. */
export interface BotHoldings extends BotRoom {
  readonly balance: Amount
}

/** What a bot has: its collateral, and what it may lose. */
export interface BotAccounts {
  readonly collateral: Account
  readonly allowance: Account
}

/** What is free of accounts, and what there is. */
export const roomOf = ({ allowance, collateral }: BotAccounts): BotHoldings => ({
  balance: collateral.balance,
  collateral: fromUnits(collateral.balance - collateral.held),
  allowance: fromUnits(allowance.balance - allowance.held),
  held: allowance.held
})

/** Nothing more can be done with a terminated bot. */
export class BotEnded extends refusal(
  "BotEnded",
  "conflict",
  ({ botId }: { readonly botId: string }) => `The bot ${botId} is terminated: make another one.`
) {}

/** An amount must be more than 0. */
export class InvalidBotAmount extends refusal(
  "InvalidBotAmount",
  "unprocessable",
  ({ field }: { readonly field: string }) => `payload.${field}: Expected more than 0`
) {}

/** More than a JSON number tells exactly of a bot. */
export class BotFull extends refusal(
  "BotFull",
  "unprocessable",
  ({ needed, room }: { readonly needed: Amount; readonly room: Amount }) =>
    `payload.amount: Expected at most the ${format(room)} USD that the bot has room for, not ${format(needed)}: its ` +
    `collateral and its net_funded are at most ${format(MAX)} USD.`
) {}

/** More than its free collateral. */
export class CollateralNotFree extends refusal(
  "CollateralNotFree",
  "unprocessable",
  ({ free, needed }: { readonly free: Amount; readonly needed: Amount }) =>
    `payload.amount: Expected at most the ${format(free)} USD that are free, not ${format(needed)}`
) {}

/** What it holds or has lost is more than what it could lose then. */
export class LossLimitHeld extends refusal(
  "LossLimitHeld",
  "conflict",
  ({
    free,
    needed
  }: {
    /** By how much its limit would shrink, and what of it is free. */
    readonly needed: Amount
    readonly free: Amount
  }) =>
    `What the bot may lose would shrink by ${format(needed)} USD, and open commitments or losses leave ` +
    `${format(free)} of it: wait until commitments settle, or ask for less.`
) {}

const entry = <E extends BotLifeEvent>(userId: string, event: E): Entry<E> => ({
  commands: botCommands(userId, event),
  event
})

/** Makes a bot. */
export const create = (
  bot: Pick<BotCreated, "botId" | "companyId" | "userId" | "walletAddress" | "profile" | "amount">,
  { at, by }: BotActor
): Entry<BotCreated> => {
  const { amount, botId, companyId, profile, userId, walletAddress } = bot
  const allowance = lossLimitOf(amount, profile.strategy.maxLossPct)
  const of = { companyId, userId, walletAddress }
  return entry(userId, { _tag: "BotCreated", at, by, botId, turn: 1, allowance, ...of, profile, amount })
}

const isEnded = ({ standing }: BotState): boolean => standing.status === "terminated"

const ended = ({ botId }: BotState) => Result.fail(new BotEnded({ botId }))

/** Replaces the profile. What its loss limit shrinks by has to be free. */
export const change = (
  state: BotState,
  profile: BotProfile,
  room: BotRoom,
  { at, by }: BotActor
): Result.Result<Entry<BotChanged>, BotEnded | LossLimitHeld> => {
  if (isEnded(state)) return ended(state)
  const { botId, turns, userId } = state
  const before = state.profile.strategy.maxLossPct
  const limit = lossLimitOf(state.netFunded, profile.strategy.maxLossPct)
  const difference = limit - state.allowance
  const isLower = profile.strategy.maxLossPct < before
  const isHigher = profile.strategy.maxLossPct > before
  const allowance = fromUnits((isLower && difference < 0n) || (isHigher && difference > 0n) ? difference : 0n)
  if (-allowance > room.allowance) {
    return Result.fail(new LossLimitHeld({ needed: fromUnits(-allowance), free: room.allowance }))
  }
  const event: BotChanged = { _tag: "BotChanged", at, by, botId, turn: turns + 1, allowance, profile }
  return Result.succeed(entry(userId, event))
}

/** Moves USD of its user to the bot, and lets it lose its part of them. */
export const fund = (
  state: BotState,
  amount: Amount,
  { at, by }: BotActor
): Result.Result<Entry<BotFunded>, BotEnded | InvalidBotAmount> => {
  if (amount <= ZERO) return Result.fail(new InvalidBotAmount({ field: "amount" }))
  if (isEnded(state)) return ended(state)
  const { botId, netFunded, profile, turns, userId } = state
  const limit = lossLimitOf(fromUnits(netFunded + amount), profile.strategy.maxLossPct)
  const allowance = limit > state.allowance ? fromUnits(limit - state.allowance) : ZERO
  return Result.succeed(entry(userId, { _tag: "BotFunded", at, by, botId, turn: turns + 1, allowance, amount }))
}

/**
 * Whether a bot has room for what its user would fund it with. Of what is asked now alone: what was recorded before there
 * was this bound is decided by {@link fund} as it was.
 */
export const roomFor = (
  { netFunded }: BotState,
  amount: Amount,
  { balance }: Pick<BotHoldings, "balance">
): Result.Result<void, BotFull> => {
  const most = balance > netFunded ? balance : netFunded
  const room = most > MAX ? ZERO : fromUnits(MAX - most)
  return amount > room ? Result.fail(new BotFull({ needed: amount, room })) : Result.void
}

/**
 * Moves free collateral back. What the bot may lose shrinks to its part of what remains: where less of that is free, it
 * shrinks to nothing, unless open commitments hold some of it, which they would give back.
 */
export const withdraw = (
  state: BotState,
  amount: Amount,
  room: BotRoom,
  { at, by }: BotActor
): Result.Result<Entry<BotWithdrawn>, BotEnded | InvalidBotAmount | CollateralNotFree | LossLimitHeld> => {
  if (amount <= ZERO) return Result.fail(new InvalidBotAmount({ field: "amount" }))
  if (isEnded(state)) return ended(state)
  const { botId, netFunded, profile, turns, userId } = state
  if (amount > room.collateral) return Result.fail(new CollateralNotFree({ free: room.collateral, needed: amount }))
  const rest = netFunded > amount ? fromUnits(netFunded - amount) : ZERO
  const excess = state.allowance - lossLimitOf(rest, profile.strategy.maxLossPct)
  if (excess > room.allowance && room.held > ZERO) {
    return Result.fail(new LossLimitHeld({ needed: fromUnits(excess), free: room.allowance }))
  }
  const taken = excess > room.allowance ? room.allowance : excess > 0n ? excess : 0n
  const allowance = fromUnits(-taken)
  return Result.succeed(entry(userId, { _tag: "BotWithdrawn", at, by, botId, turn: turns + 1, allowance, amount }))
}

/**
 * What an owner does; undefined where the bot is there already.
 *
 * @param holds - whether what suspended it still holds
 */
export const move = (
  state: BotState,
  asked: BotAct,
  room: BotRoom,
  holds: boolean,
  actor: BotActor
): Result.Result<
  Entry<BotStarted | BotPaused | BotResumed | BotTerminated> | undefined,
  IllegalBotAct | StillSuspended
> =>
  Result.map(act(state.standing, asked, holds), ({ status }) =>
    status === state.standing.status ? undefined : entry(state.userId, moved(state, asked, room, actor))
  )

const moved = ({ botId, turns }: BotState, asked: BotAct, { collateral }: BotRoom, { at, by }: BotActor) => {
  switch (asked) {
    case "start":
      return { _tag: "BotStarted", at, by, botId } as const
    case "pause":
      return { _tag: "BotPaused", at, by, botId } as const
    case "resume":
      return { _tag: "BotResumed", at, by, botId } as const
    case "terminate":
      return { _tag: "BotTerminated", at, by, botId, turn: turns + 1, allowance: ZERO, amount: collateral } as const
  }
}

/**
 * The platform suspends an active bot; any other stays where it is.
 *
 * @param failure - what its module failed with, for its owner
 */
export const suspended = (
  { botId, standing, userId }: BotState,
  cause: SuspensionCause,
  at: number,
  failure?: string
): Entry<BotSuspended> | undefined =>
  standing.status === "active"
    ? entry(userId, {
        _tag: "BotSuspended",
        at,
        by: null,
        botId,
        cause,
        ...(failure !== undefined && { failure })
      })
    : undefined

/** What was set free since it was terminated goes back; undefined where there is nothing. */
export const giveBack = (state: BotState, { collateral }: BotRoom, at: number): Entry<BotReturned> | undefined => {
  const { botId, turns, userId } = state
  if (!isEnded(state) || collateral <= ZERO) return undefined
  return entry(userId, {
    _tag: "BotReturned",
    at,
    by: null,
    botId,
    turn: turns + 1,
    allowance: ZERO,
    amount: collateral
  })
}

/** Records a decision, and takes its charge. Only an active bot decides by itself; no terminated one decides at all. */
export const decided = (
  state: BotState,
  decision: Omit<BotDecided, "_tag" | "botId">
): Entry<BotDecided> | undefined => {
  const { status } = state.standing
  if (status === "terminated" || (status !== "active" && !decision.dryRun)) return undefined
  const { at, by, charge, decision: decided, decisionId, dryRun, input, orderId } = decision
  const what = { decisionId, orderId, dryRun, input, decision: decided, charge }
  return entry(state.userId, { _tag: "BotDecided", at, by, botId: state.botId, ...what })
}
