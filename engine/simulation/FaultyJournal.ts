import { Data, Effect } from "effect"
import { type Batch, type Journal, JournalUnavailable } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"

/** The world was made to fail here. */
export class InjectedFault extends Data.TaggedError("InjectedFault")<{ readonly what: string }> {}

/** The tags of what is to be written. */
export const tagsOf = ({ entries }: Batch<PlatformEvent>): ReadonlyArray<string> =>
  entries.map(({ event }) => event._tag)

/** The journal as actors write it: the one whose turn it is to crash dies before its commit, while it waits, or after. */
export const faultyJournal = (
  board: FaultBoard,
  journal: SimulatedJournal,
  append: Journal<PlatformEvent>["append"] = journal.append
): Journal<PlatformEvent> => ({
  append: (batch) => {
    const crash = board.crash(tagsOf(batch))
    if (crash === undefined) return append(batch)
    const dies = Effect.die(new InjectedFault({ what: `the actor dies, its commit ${crash}` }))
    switch (crash) {
      case "before":
        return dies
      case "waiting":
        return Effect.suspend(() => {
          journal.enter(batch)
          return dies
        })
      case "after":
        return Effect.andThen(append(batch), dies)
    }
  }
})

/**
 * The journal as all others write it: who is cut off from it hears that it does not answer, before the commit was sent, while
 * it waits, or after it.
 */
export const cutOffJournal = (board: FaultBoard, journal: SimulatedJournal): Journal<PlatformEvent> => ({
  append: (batch) => {
    const crash = board.cutOff(tagsOf(batch))
    if (crash === undefined) return journal.append(batch)
    const unanswered = Effect.fail(new JournalUnavailable({ reason: `the connection was lost ${crash} its commit` }))
    switch (crash) {
      case "before":
        return unanswered
      case "waiting":
        return Effect.suspend(() => {
          journal.enter(batch)
          return unanswered
        })
      case "after":
        return Effect.andThen(journal.append(batch), unanswered)
    }
  }
})
