import type { BotStatus, SuspensionCause } from "../../../../engine/bots/BotLifecycle.ts"

/** What an owner can do with a bot. */
export type BotAct = "start" | "pause" | "resume" | "terminate"

const ACTS: Readonly<Record<BotStatus, ReadonlyArray<BotAct>>> = {
  inactive: ["start", "terminate"],
  active: ["pause", "terminate"],
  paused: ["resume", "terminate"],
  suspended: ["resume", "terminate"],
  terminated: []
}

/** What can be done with a bot where it stands, the usual first. */
export const actsOf = (status: BotStatus): ReadonlyArray<BotAct> => ACTS[status]

/** Why the platform suspended a bot, and what its owner does about it. */
export const SUSPENSIONS: Readonly<Record<SuspensionCause, string>> = {
  credits_gone: "It could not pay an evaluation. Buy credits or raise its monthly budget, then resume it.",
  loss_limit: "It has lost all that it may lose. Fund it, or raise its loss limit, then resume it.",
  breaker_open: "Circuit breakers halt everything it trades. Resume it once they are closed.",
  plan_downgraded:
    "The plan allows fewer bots than there are. Raise the plan or terminate another bot, then resume it.",
  module_failed: "Its own module failed too often. Mend the module's file, then resume it."
}
