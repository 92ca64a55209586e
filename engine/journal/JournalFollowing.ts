import { Effect } from "effect"
import type { JournalUnavailable } from "../actor/Journal.ts"
import type { Diverged, FollowedRow, JournalFollower } from "./JournalFollower.ts"

/** The pause before a database that failed is asked again. */
const AGAIN = "250 millis"

/** How long the one that writes may say nothing until the journal is read all the same. */
export const SILENCE = "1 second"

/** A row that the one that writes pushed. */
export interface PushedRow {
  readonly _tag: "Row"
  readonly row: FollowedRow
}

/** What a node that follows needs. `N` is what is pushed beside rows. */
export interface FollowingPorts<N> {
  /** What was pushed since it was asked for last; waits for it, and is undefined after {@link SILENCE}. */
  readonly pushed: Effect.Effect<ReadonlyArray<PushedRow | N> | undefined>
  /** Hears of what else was pushed; answers how far the journal goes, where that says it. */
  readonly news: (news: N) => number | undefined
  /** The rows that begin behind a sequence, a page of them. */
  readonly after: (seq: number) => Effect.Effect<ReadonlyArray<FollowedRow>, JournalUnavailable>
  /** Has a row told. */
  readonly tell: (row: FollowedRow) => Effect.Effect<void>
  /** Whether the journal is to be read where nothing was pushed. */
  readonly isWanted: () => boolean
  /** Hears that what it has, or heard of, may be more. */
  readonly moved: () => void
}

/** A frame of a row, and no other news. */
const isRow = (frame: object): frame is PushedRow => "_tag" in frame && frame._tag === "Row"

/** Has a follower take what is pushed and read what is missing, for ever; fails once the journal is another one. */
export const followJournal = <N extends object>(
  follower: JournalFollower,
  { after, isWanted, moved, news, pushed, tell }: FollowingPorts<N>
): Effect.Effect<never, Diverged> => {
  /** Reads a page of what is missing. Answers how many rows it was. */
  const read = Effect.suspend(() => {
    const { reading } = follower
    return Effect.gen(function* () {
      const page = yield* after(reading.after)
      const rows = yield* Effect.fromResult(follower.read(reading, page))
      for (const row of rows) yield* tell(row)
      moved()
      return rows.length
    })
  })

  const hear = Effect.fnUntraced(function* (frames: ReadonlyArray<PushedRow | N>) {
    for (const frame of frames) {
      if (!isRow(frame)) follower.hear(news(frame) ?? 0)
      else if (follower.take(frame.row)) yield* tell(frame.row)
      moved()
    }
    while (follower.isBehind) yield* read
  })

  const step = Effect.flatMap(pushed, (frames) => {
    if (frames !== undefined) return hear(frames)
    return isWanted() ? Effect.repeat(read, { while: (count) => count > 0 }) : Effect.void
  })
  return step.pipe(
    Effect.catchTag("JournalUnavailable", ({ reason }) =>
      Effect.andThen(Effect.logDebug(`The journal cannot be followed now: ${reason}`), Effect.sleep(AGAIN))
    ),
    Effect.forever
  )
}
