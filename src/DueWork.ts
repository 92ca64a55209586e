import { Context, type Effect } from "effect"

/** Work that is due at its time, and is done by whoever looks. It never fails. */
export interface Due {
  /** What the log calls it. */
  readonly name: string
  /** Does what is due by now. */
  readonly look: Effect.Effect<void>
  /**
   * The earliest time after a time, in milliseconds since 1970, at which there is something that must not be late, as far as it knows.
   */
  readonly next?: (now: number) => number | undefined
}

/** What there is of such work while it runs. */
export class DueWorks {
  readonly #all = new Set<Due>()
  /** Whether a clock that is set forward asks for each look, so that none is made beside it. */
  isLed = false

  /** Answers what takes it out again. */
  add(one: Due): () => void {
    this.#all.add(one)
    return () => void this.#all.delete(one)
  }

  /** In the order in which it was begun. */
  get all(): ReadonlyArray<Due> {
    return [...this.#all]
  }
}

/** The program's. */
export const DueWork: Context.Reference<DueWorks> = Context.Reference("emporion/DueWork", {
  defaultValue: () => new DueWorks()
})
