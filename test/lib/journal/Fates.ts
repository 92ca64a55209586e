import type { Asked, Fate } from "../../../engine/simulation/CallFate.ts"

/** What can be done to all at once. */
export interface Disturbed {
  /** Milliseconds since the beginning. */
  readonly elapsed: number
  /** Goes back to a copy that lacks the last rows of the journal. */
  readonly revert: (rows: number) => void
}

/** Decides what becomes of calls. */
export type FateOf = (asked: Asked, world: Disturbed) => Fate
