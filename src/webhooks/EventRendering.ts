import { Context, Effect, Layer } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { recordedOf } from "../../engine/replay/EventCodec.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { Rendered } from "../../engine/webhooks/FanOut.ts"
import { MOST_STREAMS, render } from "../../engine/webhooks/WebhookRendering.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { OutboxRepository } from "./OutboxRepository.ts"

export type RecordedEvent = Recorded<PlatformEvent>

/** An event on its way to be told, with the streams that were read for it. */
interface Draft {
  readonly recorded: RecordedEvent
  readonly history: Map<string, ReadonlyArray<PlatformEvent>>
  rendering: ReturnType<typeof render>
}

/** Reads the streams that drafts wait for, all at once, and renders these drafts again. */
const readOn = Effect.fnUntraced(function* (
  read: OutboxRepository["Service"]["streams"],
  drafts: ReadonlyArray<Draft>,
  until: number
) {
  const waiting = drafts.flatMap((draft) =>
    draft.rendering._tag === "Needs" ? [{ draft, stream: draft.rendering.stream }] : []
  )
  if (waiting.length === 0) return
  const stored = yield* read([...new Set(waiting.map(({ stream }) => stream))], until)
  const streams = Map.groupBy(stored.map(recordedOf), ({ stream }) => stream)
  for (const { draft, stream } of waiting) {
    const { history, recorded } = draft
    const before = (streams.get(stream) ?? []).filter(({ seq }) => seq <= recorded.seq)
    history.set(
      stream,
      before.map(({ event }) => event)
    )
    draft.rendering = render(recorded, history)
  }
})

/** Renders the messages that companies get of recorded events, with what is sealed in them. */
export class EventRendering extends Context.Service<
  EventRendering,
  {
    /** In the order of the events, which is that of the journal. */
    readonly render: (events: ReadonlyArray<RecordedEvent>) => Effect.Effect<ReadonlyArray<Rendered>, Unavailable>
  }
>()("emporion/webhooks/EventRendering") {
  static readonly layer: Layer.Layer<EventRendering, never, OutboxRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { streams } = yield* OutboxRepository
      return EventRendering.of({
        render: Effect.fnUntraced(function* (events) {
          const drafts = events.map((recorded): Draft => ({
            recorded,
            history: new Map(),
            rendering: render(recorded)
          }))
          const until = events.at(-1)?.seq ?? 0
          for (let times = 0; times < MOST_STREAMS; times++) yield* readOn(streams, drafts, until)
          return drafts.map(({ recorded, rendering }) => {
            if (rendering._tag === "Needs") {
              throw new TypeError(`the stream ${rendering.stream} is not all that ${recorded.stream} needs`)
            }
            return { recorded, messages: rendering.messages }
          })
        })
      })
    })
  )
}
