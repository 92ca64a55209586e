/** How much of the processor a command takes where others want it too. */

import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"

const { PRIORITY_BELOW_NORMAL } = constants.priority

/** The threads of this process, by the ids that Linux knows them by. Elsewhere a process has one priority. */
const threads = Effect.orElseSucceed(
  Effect.try(() => readdirSync("/proc/self/task").map(Number)),
  () => [0]
)

const lower = (thread: number): Effect.Effect<void> =>
  Effect.ignore(
    Effect.try(() => {
      if (getPriority(thread) < PRIORITY_BELOW_NORMAL) setPriority(thread, PRIORITY_BELOW_NORMAL)
    })
  )

/**
 * Lets every other process go first where both want the processor, from here on and with all that this one starts. A process
 * whose priority is lower already keeps it, and one that may not change it goes on as it is.
 */
export const giveWay: Effect.Effect<void> = Effect.flatMap(threads, (ids) =>
  Effect.forEach(ids, lower, { discard: true })
)
