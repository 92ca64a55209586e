import { Effect, type Scope } from "effect"
import * as Worker from "../Worker.ts"

/** How often the process is looked at. */
const LOOK = "1 second"

/** Processor time between two looks below which the process is at rest, in milliseconds. */
const AT_REST = 100

/** Growth since the last collection from which another one is worth its work, in bytes. */
const WORTH_COLLECTING = 8 * 1024 * 1024

/** What is asked of the process. */
export interface ProcessMemory {
  /** Processor time of the process so far, in milliseconds. */
  readonly processorMillis: () => number
  /** Resident memory, in bytes. */
  readonly residentBytes: () => number
  /** Begins a whole collection of garbage beside the program, and returns at once. */
  readonly collect: () => void
}

/**
 * Gives memory back while the process rests. A runtime collects garbage when the program allocates, so that a burst of
 * requests would leave its garbage resident until the next one. Nothing is collected while the process works, or where
 * it has hardly grown.
 */
export const collectWhenIdle = (memory: ProcessMemory): Effect.Effect<void, never, Scope.Scope> =>
  Effect.suspend(() => {
    // The first look only begins to count: the process has just started.
    let spent = -Infinity
    let resident = 0
    return Worker.every(
      LOOK,
      "Collection at rest",
      Effect.sync(() => {
        const before = spent
        spent = memory.processorMillis()
        const now = memory.residentBytes()
        resident = Math.min(resident, now)
        if (spent - before >= AT_REST || now - resident < WORTH_COLLECTING) return
        resident = now
        memory.collect()
      })
    )
  })
