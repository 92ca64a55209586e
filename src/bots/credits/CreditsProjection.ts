import { Effect } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import { movementOf, movementOfCharge } from "../../../engine/replay/EvaluationCreditsRows.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { type ContextProjection, each } from "../../database/Projection.ts"
import { CreditsProjectionRepository, type RecordedMovement } from "./CreditsProjectionRepository.ts"

/** The change of credits that a recorded event of any kind is. */
const changeOf = ({ event, seq }: Recorded<PlatformEvent>): ReadonlyArray<RecordedMovement> => {
  switch (event._tag) {
    case "CreditsGranted":
    case "CreditsLapsed":
    case "CreditsBought": {
      const movement = movementOf(event)
      return movement === undefined ? [] : [{ seq, movement }]
    }
    case "BotDecided":
      return event.charge === null ? [] : [{ seq, movement: movementOfCharge(event.charge, event.at) }]
    default:
      return []
  }
}

/** Writes the movements of credits, and what bots may use, for recorded events, within their transaction. */
export const creditsProjection = Effect.map(CreditsProjectionRepository, (rows): ContextProjection => ({
  write: (events) => {
    const movements = events.flatMap(changeOf)
    return [
      ...each(events, "CreditsGranted", rows.granted),
      ...each(events, "CreditsLapsed", rows.lapsed),
      ...each(events, "CreditBudgetSet", rows.budgetSet),
      ...each(events, "CreditsBought", rows.toppedUp),
      ...(movements.length === 0 ? [] : rows.moved(movements))
    ]
  },
  answers: {}
}))
