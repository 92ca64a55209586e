import { Effect } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { PlatformEvent, Statements } from "../database/Projection.ts"
import { ArenaProjectionRepository } from "./ArenaProjectionRepository.ts"

const only = <T extends ArenaEvent["_tag"]>(
  events: ReadonlyArray<Recorded<PlatformEvent>>,
  tag: T
): ReadonlyArray<Recorded<Extract<ArenaEvent, { _tag: T }>>> =>
  events.filter((recorded): recorded is Recorded<Extract<ArenaEvent, { _tag: T }>> => recorded.event._tag === tag)

/**
 * Writes the rows of orders and commitments for recorded events. Kinds are written in the order of an order's life, so
 * that several events of one order may stand in one transaction.
 */
export const arenaProjection = Effect.map(
  ArenaProjectionRepository,
  (repository) =>
    (events: ReadonlyArray<Recorded<PlatformEvent>>): Statements => {
      const each = <T extends ArenaEvent["_tag"]>(
        tag: T,
        write: (events: ReadonlyArray<Recorded<Extract<ArenaEvent, { _tag: T }>>>) => Statements
      ) => {
        const found = only(events, tag)
        return found.length === 0 ? [] : write(found)
      }
      return [
        ...each("OrderOpened", repository.orderOpened),
        ...each("CommitmentSubmitted", repository.commitmentSubmitted),
        ...each("OrderClosed", repository.orderClosed),
        ...each("WinnerChosen", repository.winnerChosen),
        ...each("OrderSettled", repository.orderSettled),
        ...each("OrderVoided", repository.orderVoided)
      ]
    }
)
