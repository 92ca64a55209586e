import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readEvent } from "../../engine/replay/EventCodec.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { type Unavailable, unavailableOrDie } from "./DatabaseError.ts"

/** Reads one stream of the journal. */
export class StreamRepository extends Context.Service<
  StreamRepository,
  {
    /**
     * Everything recorded in a stream, oldest first; nothing if there is none. Bytes that are not an event are a
     * defect.
     */
    readonly read: (stream: string) => Effect.Effect<ReadonlyArray<PlatformEvent>, Unavailable>
  }
>()("emporion/database/StreamRepository") {
  static readonly layer: Layer.Layer<StreamRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      StreamRepository.of({
        read: (stream) =>
          sql<{ readonly type: string; readonly data: string }>`
            SELECT type, data FROM events WHERE stream = ${stream} ORDER BY version`.pipe(
            Effect.map((rows) =>
              rows.map(({ data, type }) => {
                const read = readEvent({ seq: 0, stream, version: 0, type, data, hash: "" })
                if (Result.isFailure(read)) throw new TypeError(`an event of ${stream} ${read.failure}`)
                return read.success.event
              })
            ),
            unavailableOrDie
          )
      })
    )
  )
}
