import type { AssetType } from "../arena/AssetType.ts"
import type { BotCreated, BotEvent, BotProfile } from "../bots/BotEvent.ts"
import type { BotStatus } from "../bots/BotLifecycle.ts"
import type { DecisionCode } from "../bots/Evaluation.ts"
import type { Wire } from "./NaiveOrder.ts"

/** A decision that was recorded. */
export interface NaiveDecision {
  readonly orderId: string
  readonly botId: string
  readonly dryRun: boolean
  readonly code: DecisionCode
  readonly bid: bigint
  readonly tolerance: bigint
  readonly exit: bigint
  readonly quantity: bigint
  readonly collateral: bigint
  isCommitted: boolean
}

/** A time in which a bot was active with these capabilities; `until` is null while it lasts. */
export interface NaiveSpan {
  readonly capabilities: ReadonlyArray<AssetType>
  readonly from: number
  until: number | null
}

/** A bot as the auditor reads it from its events' bytes. Amounts are in 10⁻⁶. */
export interface NaiveBot {
  readonly id: string
  readonly companyId: string
  readonly userId: string
  status: BotStatus
  profile: Wire<BotProfile>
  turn: number
  /** What its user gave it, less what was taken back, never below 0. */
  funded: bigint
  /** What it was let lose in all. */
  limit: bigint
  /** What its settled commitments lost. */
  lost: bigint
  /** What its commitments hold. */
  locked: bigint
  /** How many events of bots there were when it became active last. */
  activeFrom: number
  readonly spans: Array<NaiveSpan>
}

export const readBot = ({
  amount,
  botId,
  companyId,
  profile,
  turn,
  userId,
  allowance
}: Wire<BotCreated>): NaiveBot => ({
  id: botId,
  companyId,
  userId,
  status: "inactive",
  profile,
  turn,
  funded: BigInt(amount),
  limit: BigInt(allowance),
  lost: 0n,
  locked: 0n,
  activeFrom: 0,
  spans: []
})

type Lifecycle = "BotStarted" | "BotPaused" | "BotResumed" | "BotSuspended" | "BotTerminated"

/** Where each event of a bot's life may come from and leads to. */
const MOVES: Readonly<Record<Lifecycle, { readonly from: ReadonlyArray<BotStatus>; readonly to: BotStatus }>> = {
  BotStarted: { from: ["inactive"], to: "active" },
  BotPaused: { from: ["active"], to: "paused" },
  BotResumed: { from: ["paused", "suspended"], to: "active" },
  BotSuspended: { from: ["active"], to: "suspended" },
  BotTerminated: { from: ["inactive", "active", "paused", "suspended"], to: "terminated" }
}

/** Takes a bot where an event leads; false where it may not come from where the bot is. */
export const move = (bot: NaiveBot, tag: Lifecycle, at: number): boolean => {
  const { from, to } = MOVES[tag]
  const isLegal = from.includes(bot.status)
  bot.status = to
  endSpan(bot, at)
  if (to === "active") beginSpan(bot, at)
  return isLegal
}

export const isLifecycle = (event: Wire<BotEvent>): event is Wire<Extract<BotEvent, { readonly _tag: Lifecycle }>> =>
  event._tag in MOVES

/** A change of an active bot's capabilities ends one span and begins another. */
export const change = (bot: NaiveBot, profile: Wire<BotProfile>, at: number): void => {
  bot.profile = profile
  if (bot.status !== "active") return
  endSpan(bot, at)
  beginSpan(bot, at)
}

const beginSpan = ({ profile, spans }: NaiveBot, at: number): void => {
  spans.push({ capabilities: profile.capabilities, from: at, until: null })
}

const endSpan = ({ spans }: NaiveBot, at: number): void => {
  const last = spans.at(-1)
  if (last?.until === null) last.until = at < last.from ? last.from : at
}

/** Whether a bot was active for a type at any moment from one time to another. */
export const wasActive = ({ spans }: NaiveBot, assetType: AssetType, from: number, to: number): boolean =>
  spans.some(
    (span) => span.capabilities.includes(assetType) && span.from < to && (span.until === null || span.until > from)
  )
