import { Context, Effect, Layer } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"

/** An event that is durable. */
export interface CommittedEvent {
  readonly seq: number
  /** Undefined where it is of a kind that only later releases know. */
  readonly event: PlatformEvent | undefined
}

/** The next events. */
export interface Commit {
  /** The sequence of the last of them. */
  readonly seq: number
  /** Reads them, where they have to be. */
  readonly events: () => ReadonlyArray<CommittedEvent>
  /** The same with their places in their streams; undefined where the tables alone have these. */
  readonly recorded: ReadonlyArray<Recorded<PlatformEvent>> | undefined
}

export interface CommitListener {
  /** Must not wait. */
  readonly told: (commit: Commit) => void
  /** Whether anybody needs to be told. */
  readonly isHeard: () => boolean
}

/** Where a stream hears of committed events, each once and in order. */
export class StreamSource extends Context.Service<
  StreamSource,
  {
    /** The sequence of the last event of which the listeners were told. */
    readonly lastSeq: Effect.Effect<number>
    /** Registers a listener for good. */
    readonly onCommit: (listener: CommitListener) => Effect.Effect<void>
    /** Where the log ends, if others may be told of an event before this source is; undefined if they may not. */
    readonly end: Effect.Effect<number, Unavailable> | undefined
  }
>()("emporion/stream/StreamSource") {}

/** The journal where it is written. */
export const ofJournal = Layer.effect(
  StreamSource,
  Effect.map(UnitOfWork, ({ lastSeq, onCommit }) =>
    StreamSource.of({
      lastSeq,
      end: undefined,
      onCommit: ({ told }) =>
        onCommit((recorded) => told({ seq: recorded.at(-1)?.seq ?? 0, events: () => recorded, recorded }))
    })
  )
)
