import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { BotEvent, BotGuardSet, BotProfile } from "./BotEvent.ts"
import type { BotStanding } from "./BotLifecycle.ts"

/** A bot as its events leave it. */
export interface BotState {
  readonly botId: string
  readonly companyId: string
  /** Whose USD fund it, and get its collateral back. */
  readonly userId: string
  readonly walletAddress: string
  readonly profile: BotProfile
  readonly standing: BotStanding
  /** What its module failed with, while it is suspended for that. */
  readonly failure: string | null
  /** What was funded less what was withdrawn, never below 0. */
  readonly netFunded: Amount
  /** By what its loss limit was moved in total: what it may still lose, what is held of that, and what it has lost. */
  readonly allowance: Amount
  /** How often its money or limit was moved. */
  readonly turns: number
  readonly createdAt: number
  /** When its status changed last. */
  readonly statusAt: number
  /** Of its own stream, in which it is made no event. */
  readonly version: number
}

/** What happens to one bot. */
export type BotLifeEvent = Exclude<BotEvent, BotGuardSet>

const plus = (one: Amount, other: Amount): Amount => fromUnits(one + other)

const less = (one: Amount, other: Amount): Amount => (one > other ? fromUnits(one - other) : ZERO)

/** The state after an event; of none only BotCreated makes one. */
export const after = (state: BotState | undefined, event: BotLifeEvent): BotState => {
  if (event._tag === "BotCreated") return made(event)
  if (state === undefined) throw new RangeError(`${event._tag} of ${event.botId}, which was never made`)
  const next = { ...state, version: state.version + 1 }
  const moved =
    "turn" in event ? { ...next, turns: event.turn, allowance: plus(state.allowance, event.allowance) } : next
  const at = (standing: BotStanding, failure: string | null = null): BotState => ({
    ...moved,
    standing,
    failure,
    statusAt: event.at
  })
  switch (event._tag) {
    case "BotChanged":
      return { ...moved, profile: event.profile }
    case "BotStarted":
    case "BotResumed":
      return at({ status: "active", cause: null })
    case "BotPaused":
      return at({ status: "paused", cause: null })
    case "BotSuspended":
      return at({ status: "suspended", cause: event.cause }, event.failure ?? null)
    case "BotTerminated":
      return { ...at({ status: "terminated", cause: null }), netFunded: less(state.netFunded, event.amount) }
    case "BotFunded":
      return { ...moved, netFunded: plus(state.netFunded, event.amount) }
    case "BotWithdrawn":
    case "BotReturned":
      return { ...moved, netFunded: less(state.netFunded, event.amount) }
    case "BotDecided":
      return next
  }
}

const made = (event: Extract<BotLifeEvent, { readonly _tag: "BotCreated" }>): BotState => ({
  botId: event.botId,
  companyId: event.companyId,
  userId: event.userId,
  walletAddress: event.walletAddress,
  profile: event.profile,
  standing: { status: "inactive", cause: null },
  failure: null,
  netFunded: event.amount,
  allowance: event.allowance,
  turns: event.turn,
  createdAt: event.at,
  statusAt: event.at,
  version: 0
})
