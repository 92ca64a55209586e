import { Effect } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { after } from "../../engine/bots/Bot.ts"
import type { BotCreated, BotFunded, BotWithdrawn } from "../../engine/bots/BotEvent.ts"
import { bots, decidedRows, guardedRows } from "../../engine/bots/BotRows.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../engine/ledger/LossLimit.ts"
import { BotAnswer, CollateralMoved } from "../api/Bots.ts"
import type { Accounts, StoredResponse } from "../../engine/journal/StoredResponse.ts"
import { aggregates, type ContextProjection } from "../database/Projection.ts"
import { storedAs } from "../http/KeptResponse.ts"
import { botAnswer, movedAnswer } from "./BotResponses.ts"
import { BotRepository } from "./BotRepository.ts"

const storedBot = storedAs(BotAnswer)
const storedMoved = storedAs(CollateralMoved)

const created = ({ event }: Recorded<BotCreated>, accounts: Accounts): StoredResponse => {
  const { botId } = event
  const own = { collateral: accounts(walletOf(botId, "USD")), allowance: accounts(lossAllowanceOf(botId)) }
  return storedBot({ success: true, bot: botAnswer(after(undefined, event), own) })
}

const moved = ({ event }: Recorded<BotFunded | BotWithdrawn>, accounts: Accounts): StoredResponse =>
  storedMoved(movedAnswer(event, accounts(walletOf(event.botId, "USD"))))

/** The rows of bots, of when they were active, and of what they decided. */
export const botProjection = Effect.map(BotRepository, ({ kept }): ContextProjection => ({
  rows: { BotDecided: decidedRows, BotGuardSet: guardedRows },
  aggregates: [aggregates(bots, kept)],
  answers: {},
  accountAnswers: { BotCreated: created, BotFunded: moved, BotWithdrawn: moved }
}))
