import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { add, columnsThatDiffer, keyOf, type ProjectedRow, set, type TableRow } from "./TableRow.ts"

/** Which state an event is about. */
export interface AggregateName {
  readonly name: string
  /** Whether there can be none before the event. */
  readonly isNew: boolean
}

/** An event where it stands. */
export interface Happened {
  readonly event: PlatformEvent
  readonly seq: number
}

/** How rows follow from events that do not say them alone: by the state that the events before them left. */
export interface Aggregate<S> {
  /** Undefined for an event that changes no state. */
  readonly of: (event: PlatformEvent) => AggregateName | undefined
  /** The state after an event; that before it stays as it is. Throws where no such event can come. */
  readonly after: (before: S | undefined, happened: Happened) => S
  /** All names of a state: what was one of them stays one. */
  readonly namesOf: (state: S) => ReadonlyArray<string>
  /** The rows that the last event may have changed, with their whole values. */
  readonly rows: (state: S) => ReadonlyArray<ProjectedRow>
}

/** What makes the second rows of the first: rows are never taken away. */
export const changesBetween = (
  before: ReadonlyArray<ProjectedRow>,
  after: ReadonlyArray<ProjectedRow>
): ReadonlyArray<TableRow> => {
  const known = new Map(before.map((row) => [idOf(row), row]))
  return after.flatMap((row) => {
    const old = known.get(idOf(row))
    if (old === undefined) return [add(row)]
    const columns = columnsThatDiffer(old, row)
    return Object.keys(columns).length === 0 ? [] : [set(row.table, keyOf(row), columns)]
  })
}

const idOf = (row: ProjectedRow): string => `${row.table}/${keyOf(row)}`

/** What a state comes to by events in their order; none where no event is about one. */
export const folded = <S>({ after, of }: Aggregate<S>, events: Iterable<Happened>): S | undefined => {
  let state: S | undefined
  for (const one of events) if (of(one.event) !== undefined) state = after(state, one)
  return state
}

/** The states that some events begin with, taken on by them in their order. */
export class AggregateSteps<S> {
  readonly #aggregate: Aggregate<S>
  readonly #states: Map<string, S>

  constructor(aggregate: Aggregate<S>, states: Map<string, S>) {
    this.#aggregate = aggregate
    this.#states = states
  }

  get states(): ReadonlySet<S> {
    return new Set(this.#states.values())
  }

  /** Takes a state as the tables have it, unless it is there by one of its names. */
  load(state: S): void {
    for (const name of this.#aggregate.namesOf(state)) if (!this.#states.has(name)) this.#states.set(name, state)
  }

  /** Takes the next event, and gives what it makes of the rows. */
  take(happened: Happened): ReadonlyArray<TableRow> {
    const { after, namesOf, of, rows } = this.#aggregate
    const name = of(happened.event)?.name
    if (name === undefined) return []
    const before = this.#states.get(name)
    const state = after(before, happened)
    for (const one of namesOf(state)) this.#states.set(one, state)
    return changesBetween(before === undefined ? [] : rows(before), rows(state))
  }
}

/**
 * States as the tables have them, those that were used last. What events are about is given away, and comes back once
 * the tables have what they make of it.
 */
export class AggregateStates<S> {
  readonly #aggregate: Aggregate<S>
  readonly #capacity: number
  readonly #kept = new Map<string, S>()

  /** @param capacity - names of states */
  constructor(aggregate: Aggregate<S>, capacity: number) {
    this.#aggregate = aggregate
    this.#capacity = capacity
  }

  /** The states that events are about, and the names of those that must be read. */
  begin(events: ReadonlyArray<Happened>): {
    readonly steps: AggregateSteps<S>
    readonly missing: ReadonlyArray<string>
  } {
    const states = new Map<string, S>()
    const missing = new Set<string>()
    const begun = new Set<string>()
    for (const { event } of events) {
      const about = this.#aggregate.of(event)
      if (about === undefined || states.has(about.name) || begun.has(about.name)) continue
      const kept = this.#kept.get(about.name)
      if (kept !== undefined) {
        for (const name of this.#aggregate.namesOf(kept)) {
          this.#kept.delete(name)
          states.set(name, kept)
        }
      } else if (about.isNew) begun.add(about.name)
      else missing.add(about.name)
    }
    return { steps: new AggregateSteps(this.#aggregate, states), missing: [...missing] }
  }

  /** Takes states as the tables have them now. */
  keep(states: Iterable<S>): void {
    for (const state of states) {
      this.#forget(state)
      for (const name of this.#aggregate.namesOf(state)) this.#kept.set(name, state)
    }
    for (const state of this.#kept.values()) {
      if (this.#kept.size <= this.#capacity) return
      this.#forget(state)
    }
  }

  /** By all names at once: a state that is read by one of them must not stand here as it was by another. */
  #forget(state: S): void {
    for (const name of this.#aggregate.namesOf(state)) this.#kept.delete(name)
  }
}
