import { Result } from "effect"
import { refusal } from "../wire/Refusal.ts"

export const BOT_STATUSES = ["inactive", "active", "paused", "suspended", "terminated"] as const

/**
 * inactive –start→ active –pause→ paused –resume→ active; the engine suspends an active bot, and resume works once the
 * cause is gone; any –terminate→ terminated, which is final. Specification 4.4.
 */
export type BotStatus = (typeof BOT_STATUSES)[number]

export const BOT_ACTS = ["start", "pause", "resume", "terminate"] as const

/** What an owner does with a bot. */
export type BotAct = (typeof BOT_ACTS)[number]

export const SUSPENSION_CAUSES = [
  "credits_gone",
  "loss_limit",
  "breaker_open",
  "plan_downgraded",
  "module_failed"
] as const

/** Why the engine suspended a bot. */
export type SuspensionCause = (typeof SUSPENSION_CAUSES)[number]

/** Where a bot stands. */
export interface BotStanding {
  readonly status: BotStatus
  /** Set while suspended. */
  readonly cause: SuspensionCause | null
}

/** The bot cannot do that where it stands. */
export class IllegalBotAct extends refusal(
  "IllegalBotAct",
  "conflict",
  ({ act, status }: { readonly act: BotAct; readonly status: BotStatus }) =>
    `A bot that is ${status} cannot ${act}: see the bot's status.`
) {}

const CAUSES: Readonly<Record<SuspensionCause, string>> = {
  credits_gone: "it has no credits to evaluate with: buy some, or raise its credit_budget",
  loss_limit: "it may lose no more: fund it, or raise its maxLossPct",
  breaker_open: "circuit breakers pause everything that it trades: wait until one closes",
  plan_downgraded: "the plan has no room for another active bot: pause one, or choose a larger plan",
  module_failed: "its module failed: see strategy_error, and mend it"
}

/** What suspended the bot still holds. */
export class StillSuspended extends refusal(
  "StillSuspended",
  "conflict",
  ({ cause }: { readonly cause: SuspensionCause }) => `The bot stays suspended: ${CAUSES[cause]}.`
) {}

const TARGET: Readonly<Record<BotAct, BotStatus>> = {
  start: "active",
  pause: "paused",
  resume: "active",
  terminate: "terminated"
}

const FROM: Readonly<Record<BotAct, ReadonlyArray<BotStatus>>> = {
  start: ["inactive"],
  pause: ["active"],
  resume: ["paused", "suspended"],
  terminate: ["inactive", "active", "paused", "suspended"]
}

const standing = (status: BotStatus): BotStanding => ({ status, cause: null })

/**
 * Where an act leads; the same standing where the bot is there already.
 *
 * @param holds - whether what suspended it still holds
 */
export const act = (
  from: BotStanding,
  asked: BotAct,
  holds: boolean
): Result.Result<BotStanding, IllegalBotAct | StillSuspended> => {
  if (from.status === TARGET[asked]) return Result.succeed(from)
  if (!FROM[asked].includes(from.status)) return Result.fail(new IllegalBotAct({ act: asked, status: from.status }))
  if (from.cause !== null && asked === "resume" && holds) return Result.fail(new StillSuspended({ cause: from.cause }))
  return Result.succeed(standing(TARGET[asked]))
}

/** The engine suspends an active bot; any other stays where it is. */
export const suspend = (from: BotStanding, cause: SuspensionCause): BotStanding =>
  from.status === "active" ? { status: "suspended", cause } : from
