import { Effect, Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { after } from "../../engine/bot/Bot.ts"
import type {
  BotChanged,
  BotCreated,
  BotFunded,
  BotPaused,
  BotResumed,
  BotReturned,
  BotStarted,
  BotSuspended,
  BotTerminated,
  BotWithdrawn
} from "../../engine/bot/BotEvent.ts"
import { lossAllowanceOf, walletOf } from "../../engine/ledger/Funding.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { BotAnswer, CollateralMoved } from "../api/Bots.ts"
import {
  type Accounts,
  type ContextProjection,
  each,
  type Statements,
  type StoredAnswer
} from "../database/Projection.ts"
import { botAnswer, movedAnswer } from "./BotAnswers.ts"
import { BotProjectionRepository } from "./BotProjectionRepository.ts"

const encodeBot = Schema.encodeSync(Schema.fromJsonString(BotAnswer))
const encodeMoved = Schema.encodeSync(Schema.fromJsonString(CollateralMoved))

const created = ({ event }: Recorded<BotCreated>, accounts: Accounts): StoredAnswer => {
  const { botId } = event
  const own = { collateral: accounts(walletOf(botId, "USD")), allowance: accounts(lossAllowanceOf(botId)) }
  return { status: 200, body: encodeBot({ success: true, bot: botAnswer(after(undefined, event), own) }) }
}

const moved = ({ event }: Recorded<BotFunded | BotWithdrawn>, accounts: Accounts): StoredAnswer => ({
  status: 200,
  body: encodeMoved(movedAnswer(event, accounts(walletOf(event.botId, "USD"))))
})

const MOVES: ReadonlySet<string> = new Set(["BotChanged", "BotFunded", "BotWithdrawn", "BotReturned", "BotTerminated"])
const TURNS: ReadonlySet<string> = new Set(["BotStarted", "BotPaused", "BotResumed", "BotSuspended", "BotTerminated"])

type Event = Recorded<PlatformEvent>

const isMove = (
  recorded: Event
): recorded is Recorded<BotChanged | BotFunded | BotWithdrawn | BotReturned | BotTerminated> =>
  MOVES.has(recorded.event._tag)

const isTurn = (
  recorded: Event
): recorded is Recorded<BotStarted | BotPaused | BotResumed | BotSuspended | BotTerminated> =>
  TURNS.has(recorded.event._tag)

const some = <E>(events: ReadonlyArray<E>, write: (events: ReadonlyArray<E>) => Statements): Statements =>
  events.length === 0 ? [] : write(events)

/** Writes bots, when they were active, and what they decided, within the transaction of the events. */
export const botProjection = Effect.map(BotProjectionRepository, (rows): ContextProjection => ({
  write: (events) => {
    const own = events.filter(({ event }) => event._tag.startsWith("Bot"))
    if (own.length === 0) return []
    return [
      ...each(own, "BotCreated", rows.created),
      ...each(own, "BotChanged", rows.changed),
      ...some(own.filter(isMove), rows.moved),
      ...some(own.filter(isTurn), rows.turned),
      ...each(own, "BotDecided", rows.decided),
      ...each(own, "BotGuardSet", rows.guarded)
    ]
  },
  answers: { BotCreated: created, BotFunded: moved, BotWithdrawn: moved }
}))
