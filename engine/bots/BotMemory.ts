import type { ArenaError } from "../arena/ArenaError.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { BotState } from "./Bot.ts"
import type { RecordedDecision } from "./BotWorld.ts"
import type { AskedBid, Decision } from "./Evaluation.ts"

/** A bot's own decision about an order, and whether anything is left to be done about it. */
export interface OwnDecision {
  readonly decision: Decision
  readonly expiryAt: number
  isDone: boolean
  /** Why the order refused it, where it is done and did. */
  refused?: ArenaError | undefined
}

/** What a bot's actor knows. It is rebuilt from what is recorded. */
export interface BotMemory {
  bot: BotState
  /** What it decided by itself, by order. */
  readonly decided: Map<string, OwnDecision>
}

/** How long a decision is remembered after its order closed: no order is seen as open for so long. */
const REMEMBERED_MILLIS = 3_600_000

/** Takes over what is recorded. What is known to be done stays so. */
export const remember = ({ decided }: BotMemory, recorded: ReadonlyArray<RecordedDecision>): void => {
  for (const { decision, expiryAt, orderId } of recorded) {
    if (!decided.has(orderId)) decided.set(orderId, { decision, expiryAt, isDone: decision.code !== "commit" })
  }
}

/** Forgets decisions about orders that closed long ago. */
export const forget = ({ decided }: BotMemory, now: number): void => {
  for (const [orderId, { expiryAt }] of decided) if (now - expiryAt >= REMEMBERED_MILLIS) decided.delete(orderId)
}

export const isActive = ({ bot }: BotMemory): boolean => bot.standing.status === "active"

/** Whether the bot's strategy still has to decide about an order. Where it has a module, that decides alone. */
export const isWilling = (memory: BotMemory, { assetType, orderId }: OrderTerms): boolean => {
  const { capabilities, strategyModule } = memory.bot.profile
  const isItsOwn = isActive(memory) && strategyModule === undefined && capabilities.includes(assetType)
  return isItsOwn && !memory.decided.has(orderId)
}

/** Whether a module decides for the bot, and has not yet decided about an order. */
export const mayAsk = (memory: BotMemory, { module }: AskedBid, orderId: string): boolean =>
  isActive(memory) && memory.bot.profile.strategyModule === module && !memory.decided.has(orderId)

/** The decision that is still to be committed, if any. */
export const uncommitted = (memory: BotMemory, { expiryAt, orderId }: OrderTerms, now: number) => {
  const own = memory.decided.get(orderId)
  return own !== undefined && !own.isDone && isActive(memory) && now < expiryAt ? own : undefined
}
