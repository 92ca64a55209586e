import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { epochNow } from "../database/JournalPosition.ts"
import { familyOf } from "../../engine/replay/PlatformEvent.ts"
import type { OrderEventRecord } from "./StreamEvent.ts"

/** An event of the log; undefined if it is not an order's. */
export interface LoggedEvent {
  readonly seq: number
  readonly recorded: OrderEventRecord | undefined
}

interface Row {
  readonly seq: bigint
  readonly version: number
  readonly type: string
  readonly data: string
}

const toLogged = ({ data, seq, type, version }: Row): LoggedEvent => {
  const place = Number(seq)
  return {
    seq: place,
    recorded: familyOf(type) === "order" ? { seq: place, version, event: decodeArenaEvent(data) } : undefined
  }
}

/** Reads the log of events again. */
export class ReplayRepository extends Context.Service<
  ReplayRepository,
  {
    /** The name of this log: another one after a restart from nothing. */
    readonly epoch: Effect.Effect<string, Unavailable>
    /** The events after a position up to another one, in order. */
    readonly read: (after: number, through: number) => Effect.Effect<ReadonlyArray<LoggedEvent>, Unavailable>
  }
>()("emporion/stream/ReplayRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      ReplayRepository.of({
        epoch: Effect.provideService(epochNow, SqlClient, sql),
        read: (after, through) =>
          sql<Row>`
            SELECT seq, version, type, data FROM events
            WHERE seq > ${BigInt(after)} AND seq <= ${BigInt(through)} ORDER BY seq`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toLogged))
          )
      })
    )
  )
}
