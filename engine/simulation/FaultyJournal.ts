import { Data, Effect } from "effect"
import type { Journal } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"

/** The world was made to fail here. */
export class InjectedFault extends Data.TaggedError("InjectedFault")<{ readonly what: string }> {}

/** The journal as actors write it: the one whose turn it is to crash dies before its commit, while it waits, or after. */
export const faultyJournal = (
  board: FaultBoard,
  journal: SimulatedJournal,
  append: Journal<PlatformEvent>["append"] = journal.append
): Journal<PlatformEvent> => ({
  append: (batch) => {
    const crash = board.crash()
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
