/** A fault that struck, by its kind. */
interface Struck {
  readonly kind: string
}

/** An event that was recorded, by its tag. */
interface RecordedTag {
  readonly event: { readonly _tag: string }
}

/** How often, by name. */
export type Counts = Readonly<Record<string, number>>

/** What a simulation came to on its way, by name, in the order of the names. */
export interface Reached {
  /** How often each event was recorded. */
  readonly events: Counts
  /** How often each fault struck. */
  readonly faults: Counts
  /** By fault, how often each event was among the next that were recorded after it struck. */
  readonly struckBefore: Readonly<Record<string, Counts>>
}

/** Notes which events are recorded, and which faults strike before them. */
export class ReachedRecord {
  readonly #events = new Map<string, number>()
  readonly #faults = new Map<string, number>()
  readonly #struckBefore = new Map<string, Map<string, number>>()
  #seen = 0

  /** Events became durable; `struck` are all faults that struck until then. */
  committed(recorded: ReadonlyArray<RecordedTag>, struck: ReadonlyArray<Struck>): void {
    for (const { event } of recorded) count(this.#events, event._tag)
    if (struck.length === this.#seen) return
    const next = new Set(recorded.map(({ event }) => event._tag))
    for (const { kind } of struck.slice(this.#seen)) {
      count(this.#faults, kind)
      const before = this.#struckBefore.get(kind) ?? new Map<string, number>()
      this.#struckBefore.set(kind, before)
      for (const tag of next) count(before, tag)
    }
    this.#seen = struck.length
  }

  /** What was reached, with the faults that struck after the last event. */
  end(struck: ReadonlyArray<Struck>): Reached {
    this.committed([], struck)
    return {
      events: byName(this.#events),
      faults: byName(this.#faults),
      struckBefore: byName(new Map(Array.from(this.#struckBefore, ([kind, before]) => [kind, byName(before)])))
    }
  }
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/** How often each came of some together. */
export const added = (...some: ReadonlyArray<ReadonlyMap<string, number>>): ReadonlyMap<string, number> => {
  const all = new Map<string, number>()
  for (const counts of some) for (const [name, times] of counts) all.set(name, (all.get(name) ?? 0) + times)
  return all
}

/** As an object, its names in the order of their UTF-16 code units. */
export const byName = <A>(values: ReadonlyMap<string, A>): Readonly<Record<string, A>> =>
  Object.fromEntries([...values].toSorted(([one], [other]) => (one < other ? -1 : 1)))
