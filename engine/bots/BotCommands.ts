import type { Command } from "../ledger/Command.ts"
import { walletOf } from "../ledger/Funding.ts"
import { lossAllowanceOf, moveLossAllowance } from "../ledger/LossLimit.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { chargeCommands } from "./EvaluationCredits.ts"
import type { BotEvent } from "./BotEvent.ts"

/**
 * What a recorded event does to the ledger: the same for the decision and for a replay.
 *
 * The account of what a bot may lose is closed while it is not active, so that the ledger refuses its commitments.
 *
 * @param userId - whose bot it is
 */
export const botCommands = (userId: string, event: BotEvent): ReadonlyArray<Command> => {
  switch (event._tag) {
    case "BotCreated":
      return [turned("Close", event.botId), ...funded(userId, event), ...limited(event)]
    case "BotStarted":
    case "BotResumed":
      return [turned("Open", event.botId)]
    case "BotPaused":
    case "BotSuspended":
      return [turned("Close", event.botId)]
    case "BotTerminated":
      return [turned("Close", event.botId), ...returned(userId, event), ...limited(event)]
    case "BotFunded":
      return [...funded(userId, event), ...limited(event)]
    case "BotWithdrawn":
    case "BotReturned":
      return [...returned(userId, event), ...limited(event)]
    case "BotChanged":
      return limited(event)
    case "BotDecided":
      return event.charge === null ? [] : chargeCommands(event.charge)
    case "BotGuardSet":
      return []
  }
}

interface Moved {
  readonly botId: string
  readonly turn: number
  readonly amount: Amount
}

const turned = (_tag: "Close" | "Open", botId: string): Command => ({ _tag, account: lossAllowanceOf(botId) })

const between = (from: string, to: string, { amount, botId, turn }: Moved): ReadonlyArray<Command> =>
  amount === ZERO
    ? []
    : [
        {
          _tag: "Transfer",
          id: `bot/${botId}/${turn}/usd`,
          from: walletOf(from, "USD"),
          to: walletOf(to, "USD"),
          amount,
          purpose: "collateral"
        }
      ]

const funded = (userId: string, event: Moved) => between(userId, event.botId, event)

const returned = (userId: string, event: Moved) => between(event.botId, userId, event)

/** Gives more to lose, or takes it back. */
const limited = ({ allowance, botId, turn }: Omit<Moved, "amount"> & { readonly allowance: Amount }) =>
  moveLossAllowance(botId, turn, allowance)
