import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { PlatformEvent } from "../database/Projection.ts"
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
export const arenaProjection = Effect.map(ArenaProjectionRepository, (repository) =>
  Effect.fnUntraced(function* (events: ReadonlyArray<Recorded<PlatformEvent>>): Effect.fn.Return<void, SqlError> {
    const each = <T extends ArenaEvent["_tag"]>(
      tag: T,
      write: (events: ReadonlyArray<Recorded<Extract<ArenaEvent, { _tag: T }>>>) => Effect.Effect<void, SqlError>
    ) => {
      const found = only(events, tag)
      return found.length === 0 ? Effect.void : write(found)
    }
    yield* each("OrderOpened", repository.orderOpened)
    yield* each("CommitmentSubmitted", repository.commitmentSubmitted)
    yield* each("OrderClosed", repository.orderClosed)
    yield* each("WinnerChosen", repository.winnerChosen)
    yield* each("OrderSettled", repository.orderSettled)
    yield* each("OrderVoided", repository.orderVoided)
  })
)
