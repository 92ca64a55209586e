import { Context, Effect, Layer, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Aggregate, folded, type Happened } from "../../engine/journal/Aggregate.ts"
import { readEvent } from "../../engine/replay/EventCodec.ts"
import { texts } from "./ArrayParameter.ts"
import { Direct } from "./BoundedClient.ts"

/** An event in its stream. */
export interface StreamEvent extends Happened {
  readonly stream: string
}

/** The streams as far as the tables have them, whatever else the journal has. */
export class ProjectedStreams extends Context.Service<
  ProjectedStreams,
  {
    /** Everything recorded in some streams, in the order of its sequence. Bytes that are not an event are a defect. */
    readonly read: (streams: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StreamEvent>, SqlError>
    /** The state of each of those streams that exist. */
    readonly each: <S>(
      aggregate: Aggregate<S>
    ) => (streams: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<S>, SqlError>
  }
>()("emporion/database/ProjectedStreams") {
  static readonly layer: Layer.Layer<ProjectedStreams, never, Direct> = Layer.effect(
    this,
    Effect.map(Direct, (sql) => {
      const read = (streams: ReadonlyArray<string>) =>
        Effect.map(
          sql<{ readonly seq: bigint; readonly stream: string; readonly type: string; readonly data: string }>`
            SELECT seq, stream, type, data FROM events WHERE stream = ANY(${texts(streams)}::text[]) ORDER BY seq`,
          (rows) =>
            rows.map(({ data, seq, stream, type }): StreamEvent => {
              const found = readEvent({ seq: Number(seq), stream, version: 0, type, data, hash: "" })
              if (Result.isFailure(found)) throw new TypeError(`event ${seq} ${found.failure}`)
              return { event: found.success.event, seq: Number(seq), stream }
            })
        )
      return ProjectedStreams.of({
        read,
        each: (aggregate) => (streams) =>
          Effect.map(read(streams), (events) =>
            Array.from(Map.groupBy(events, ({ stream }) => stream).values()).flatMap(
              (own) => folded(aggregate, own) ?? []
            )
          )
      })
    })
  )
}
