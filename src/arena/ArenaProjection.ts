import { Effect } from "effect"
import { type ContextProjection, each } from "../database/Projection.ts"
import { ArenaProjectionRepository } from "./ArenaProjectionRepository.ts"
import { receiptJson } from "./CommitmentReceipt.ts"

/**
 * Writes the rows of orders and commitments for recorded events. Kinds are written in the order of an order's life, so
 * that several events of one order may be written at once.
 */
export const arenaProjection = Effect.map(ArenaProjectionRepository, (repository): ContextProjection => ({
  write: (events) => [
    ...each(events, "OrderOpened", repository.orderOpened),
    ...each(events, "CommitmentSubmitted", repository.commitmentSubmitted),
    ...each(events, "OrderClosed", repository.orderClosed),
    ...each(events, "WinnerChosen", repository.winnerChosen),
    ...each(events, "OrderSettled", repository.orderSettled),
    ...each(events, "OrderVoided", repository.orderVoided)
  ],
  merges: ["OrderOpened", "CommitmentSubmitted", "OrderClosed", "WinnerChosen", "OrderSettled", "OrderVoided"],
  answers: { CommitmentSubmitted: (recorded) => ({ status: 200, body: receiptJson(recorded) }) }
}))
