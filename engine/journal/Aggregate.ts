import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { add, columnsThatDiffer, keyOf, type ProjectedRow, set, type TableRow } from "./TableRow.ts"

/** Which state an event is about. */
export interface AggregateName {
  readonly name: string
  /** Whether there may be no state before the event. */
  readonly isNew: boolean
}

/** An event with its place. */
export interface Happened {
  readonly event: PlatformEvent
  readonly seq: number
}

/** How rows follow from an event together with the state that the events before it left. */
export interface Aggregate<S> {
  /** Undefined for an event that changes no state. */
  readonly of: (event: PlatformEvent) => AggregateName | undefined
  /** The state after an event. The state before it stays unchanged. Throws if no such event can come. */
  readonly after: (before: S | undefined, happened: Happened) => S
  /** All names of a state. A name stays a name of its state. */
  readonly namesOf: (state: S) => ReadonlyArray<string>
  /** The rows that the last event may have changed, with their whole values. */
  readonly rows: (state: S) => ReadonlyArray<ProjectedRow>
}

/** The changes that turn the first rows into the second: rows are never removed. */
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

/** The state that events give in their order; none if no event is about one. */
export const folded = <S>({ after, of }: Aggregate<S>, events: Iterable<Happened>): S | undefined => {
  let state: S | undefined
  for (const one of events) if (of(one.event) !== undefined) state = after(state, one)
  return state
}

/** The states before some events, which the events move on in their order. */
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

  /** Takes a state as the tables have it, unless one of its names is already there. */
  load(state: S): void {
    for (const name of this.#aggregate.namesOf(state)) if (!this.#states.has(name)) this.#states.set(name, state)
  }

  /** Takes the next event, and returns the changes that it makes to rows. */
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
 * The states that were used last, as the tables have them. States that events are about are taken out, and come back
 * once the tables have the result.
 */
export class AggregateStates<S> {
  readonly #aggregate: Aggregate<S>
  readonly #capacity: number
  readonly #kept = new Map<string, S>()

  /** @param capacity - how many names of states it holds */
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

  /**
   * Under all names at once: a state that is read by one name must not remain here in an older version under another.
   */
  #forget(state: S): void {
    for (const name of this.#aggregate.namesOf(state)) this.#kept.delete(name)
  }
}
