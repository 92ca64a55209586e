import { causeOf } from "./EventCauses.ts"

/** A fault that began, by its kind, and whether it had an effect until now. */
interface Begun {
  readonly kind: string
  readonly isFelt: boolean
}

/** An event that was recorded. */
interface RecordedEvent {
  readonly event: { readonly _tag: string }
}

/** How often, by name. */
export type Counts = Readonly<Record<string, number>>

/** What a simulation came to on its way, by name, in the order of the names. */
export interface Reached {
  /** How often each event was recorded. */
  readonly events: Counts
  /** How often each event that has one of several causes was recorded by each, such as `CommitmentHaltSet by restarted`. */
  readonly causes: Counts
  /** How often each fault had an effect. */
  readonly faults: Counts
  /** By fault, how often each event was among the next that were recorded after it began, of the faults that had an effect. */
  readonly struckBefore: Readonly<Record<string, Counts>>
}

const NOTHING: ReadonlySet<string> = new Set()

/** Notes which events are recorded, and which faults begin before them. */
export class ReachedRecord {
  readonly #events = new Map<string, number>()
  readonly #causes = new Map<string, number>()
  /** The tags of what was recorded next after each fault began, in the order of the faults. */
  readonly #next: Array<ReadonlySet<string>> = []

  /** Events became durable; `begun` are all faults that began until then. */
  committed(recorded: ReadonlyArray<RecordedEvent>, begun: ReadonlyArray<Begun>): void {
    for (const { event } of recorded) {
      count(this.#events, event._tag)
      const cause = causeOf(event)
      if (cause !== undefined) count(this.#causes, cause)
    }
    if (begun.length === this.#next.length) return
    const next = new Set(recorded.map(({ event }) => event._tag))
    while (this.#next.length < begun.length) this.#next.push(next)
  }

  /** What was reached; `begun` are all faults that began. What one does may come long after it began. */
  end(begun: ReadonlyArray<Begun>): Reached {
    const faults = new Map<string, number>()
    const struckBefore = new Map<string, Map<string, number>>()
    for (const [index, { isFelt, kind }] of begun.entries()) {
      if (!isFelt) continue
      count(faults, kind)
      const before = struckBefore.get(kind) ?? new Map<string, number>()
      struckBefore.set(kind, before)
      for (const tag of this.#next[index] ?? NOTHING) count(before, tag)
    }
    return {
      events: byName(this.#events),
      causes: byName(this.#causes),
      faults: byName(faults),
      struckBefore: byName(new Map(Array.from(struckBefore, ([kind, before]) => [kind, byName(before)])))
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
