import { Data, Result } from "effect"

export const BOT_STATUSES = ["inactive", "active", "paused", "suspended", "terminated"] as const

/**
 * inactive –start→ active –pause→ paused –resume→ active; the engine suspends an active bot, and resume works once the
 * cause is gone; any –terminate→ terminated, which is final. Specification 4.4.
 */
export type BotStatus = (typeof BOT_STATUSES)[number]

export const BOT_ACTS = ["start", "pause", "resume", "terminate"] as const

/** What an owner does with a bot. */
export type BotAct = (typeof BOT_ACTS)[number]

export const SUSPENSION_CAUSES = ["credits_gone", "loss_limit", "breaker_open", "plan_downgraded"] as const

/** Why the engine suspended a bot. */
export type SuspensionCause = (typeof SUSPENSION_CAUSES)[number]

/** Where a bot stands. */
export interface BotStanding {
  readonly status: BotStatus
  /** Set while suspended. */
  readonly cause: SuspensionCause | null
}

/** conflict: the bot cannot do that where it stands. */
export class IllegalBotAct extends Data.TaggedError("IllegalBotAct")<{
  readonly act: BotAct
  readonly status: BotStatus
}> {}

/** conflict: what suspended the bot still holds. */
export class StillSuspended extends Data.TaggedError("StillSuspended")<{ readonly cause: SuspensionCause }> {}

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
