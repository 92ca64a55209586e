import { Context, type Effect } from "effect"

/** Work that is due at its time, and is done by whoever looks. It never fails. */
export interface Due {
  /** What the log calls it. */
  readonly name: string
  /** Does what is due by now. */
  readonly look: Effect.Effect<void>
}

/** What there is of such work while it runs. */
export class DueWorks {
  readonly #all = new Set<Due>()

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

/** The program's; where nobody asks for it, nothing. */
export const DueWork: Context.Reference<Pick<DueWorks, "add" | "all">> = Context.Reference("emporion/DueWork", {
  defaultValue: (): Pick<DueWorks, "add" | "all"> => ({ add: () => () => undefined, all: [] })
})
