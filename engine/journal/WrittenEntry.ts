import type { Entry, Precondition } from "../actor/Journal.ts"

/** One entry, the stream it belongs in, and what it was decided on. */
export interface WrittenEntry<Event> {
  readonly stream: string
  /** The version that it was decided on; null if that does not matter. */
  readonly version: number | null
  /** The stream's id was drawn at random for this entry. */
  readonly isNew?: boolean
  /** Other streams that it was decided on. */
  readonly preconditions?: ReadonlyArray<Precondition>
  /** Names that it claims for good. A name that is already claimed counts as another version. */
  readonly claims?: ReadonlyArray<string>
  /** Names that it was decided on as not claimed. */
  readonly unclaimed?: ReadonlyArray<string>
  readonly entry: Entry<Event>
}
