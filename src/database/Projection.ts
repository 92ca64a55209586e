import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { type Aggregate, AggregateStates } from "../../engine/journal/Aggregate.ts"
import type { TableRow } from "../../engine/journal/TableRow.ts"
import type { Accounts, EventAnswers, StoredResponse } from "../../engine/journal/StoredResponse.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { RowWriter, Statements } from "./RowWriter.ts"

type Tag = PlatformEvent["_tag"]

/** The events of one kind. */
export type Of<T extends Tag> = Extract<PlatformEvent, { readonly _tag: T }>

type Events = ReadonlyArray<Recorded<PlatformEvent>>

/** The changes that the events of one transaction make to the rows of aggregates. */
export interface AggregateRows {
  /** The changes of the next event. */
  readonly take: (recorded: Recorded<PlatformEvent>) => ReadonlyArray<TableRow>
  /** Hears once the tables have all of it. */
  readonly written: () => void
}

/** Aggregates of one kind, whose rows follow from their events by the states before them. */
export interface AggregateProjection {
  /** Begins with the states that the tables have; nothing if no event is about one. */
  readonly begin: (events: Events) => Effect.Effect<AggregateRows | undefined, SqlError>
}

/** Events whose rows are made in one step. */
const STEP_EVENTS = 64

/** Names of states of one kind that are remembered. */
const KEPT_NAMES = 8_192

/**
 * Remembers the states that were used last, and reads the others.
 *
 * @param load - the existing states of these names, by one statement, which does not wait for the tables
 */
export const aggregates = <S>(
  aggregate: Aggregate<S>,
  load: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<S>, SqlError>,
  capacity = KEPT_NAMES
): AggregateProjection => {
  const states = new AggregateStates(aggregate, capacity)
  return {
    begin: Effect.fnUntraced(function* (events: Events) {
      if (events.every(({ event }) => aggregate.of(event) === undefined)) return undefined
      const { missing, steps } = states.begin(events)
      if (missing.length > 0) for (const state of yield* load(missing)) steps.load(state)
      return { take: (recorded) => steps.take(recorded), written: () => states.keep(steps.states) }
    })
  }
}

/** What a transaction writes. */
export interface ProjectedWrite {
  /** Its statements, in the order in which they must run, made step by step. */
  readonly statements: () => Iterable<Statements>
  /**
   * Hears once they are committed. After a failure, or an unknown outcome, the next transaction begins again from the
   * tables.
   */
  readonly written: () => void
}

/** One context's projection of recorded events. */
export interface ContextProjection {
  /** The changes that a recorded event makes to the context's tables, by its kind. */
  readonly rows?: { readonly [T in Tag]?: (recorded: Recorded<Of<T>>) => ReadonlyArray<TableRow> }
  /** The changes that recorded events make to rows that do not follow from an event alone. */
  readonly aggregates?: ReadonlyArray<AggregateProjection>
  /** The answers of requests that are recorded with their idempotency key, by the kind of event from which they follow. */
  readonly answers: { readonly [T in Tag]?: (recorded: Recorded<Of<T>>) => StoredResponse }
  /** Those that say besides what became of accounts. */
  readonly accountAnswers?: {
    readonly [T in Tag]?: (recorded: Recorded<Of<T>>, accounts: Accounts) => StoredResponse
  }
  /** Is told of events that the tables have, in the order of their sequence. Must not wait. */
  readonly projected?: (events: ReadonlyArray<Recorded<PlatformEvent>>) => void
}

type RowsOf = (recorded: Recorded<PlatformEvent>) => ReadonlyArray<TableRow>

/** The rows of events, made for a step's events at a time. */
const partsOf = function* (events: Events, rowsOf: RowsOf): Generator<ReadonlyArray<TableRow>> {
  for (let first = 0; first < events.length; first += STEP_EVENTS) {
    yield events.slice(first, first + STEP_EVENTS).flatMap(rowsOf)
  }
}

type AnyAnswer = (recorded: Recorded<PlatformEvent>, accounts: Accounts) => StoredResponse

/**
 * Everything else that a recorded event writes in the tables' transaction: each context's tables, and the answers kept
 * for retries. The application's graph composes it from the contexts.
 */
export class Projection extends Context.Service<
  Projection,
  {
    /** Writes the next events that the tables lack. */
    readonly begin: (events: Events) => Effect.Effect<ProjectedWrite, SqlError>
    readonly answers: EventAnswers
    /** Is told of events that the tables have, in the order of their sequence. */
    readonly projected: (events: ReadonlyArray<Recorded<PlatformEvent>>) => void
  }
>()("emporion/database/Projection") {
  /** All contexts' projections as one. A missing answer is a defect. */
  static readonly composed = (
    parts: ReadonlyArray<ContextProjection>,
    writer: Pick<RowWriter["Service"], "steps">
  ): Projection["Service"] => {
    const answersIn = (of: (part: ContextProjection) => object | undefined) =>
      new Map(parts.flatMap((part) => Object.entries((of(part) ?? {}) as Record<string, AnyAnswer>)))
    const [following, ofAccounts] = [answersIn(({ answers }) => answers), answersIn((part) => part.accountAnswers)]
    const ofEvents = new Map<string, Array<RowsOf>>()
    for (const [tag, rows] of parts.flatMap((part) => Object.entries((part.rows ?? {}) as Record<string, RowsOf>))) {
      ofEvents.set(tag, [...(ofEvents.get(tag) ?? []), rows])
    }
    const ofAggregates = parts.flatMap(({ aggregates = [] }) => aggregates)
    return {
      begin: Effect.fnUntraced(function* (events: Events) {
        const begun: Array<AggregateRows> = []
        for (const { begin } of ofAggregates) {
          const rows = yield* begin(events)
          if (rows !== undefined) begun.push(rows)
        }
        const rowsOf = (recorded: Recorded<PlatformEvent>): ReadonlyArray<TableRow> => {
          const rows = (ofEvents.get(recorded.event._tag) ?? []).flatMap((make) => make(recorded))
          for (const { take } of begun) rows.push(...take(recorded))
          return rows
        }
        return {
          statements: () => writer.steps(partsOf(events, rowsOf)),
          written: () => begun.forEach(({ written }) => written())
        }
      }),
      answers: {
        follows: ({ _tag }) => following.has(_tag),
        of: (recorded, accounts) => {
          const { _tag } = recorded.event
          const answer = following.get(_tag) ?? ofAccounts.get(_tag)
          if (answer === undefined) throw new TypeError(`no answer is kept for ${_tag}`)
          return answer(recorded, accounts)
        }
      },
      projected: (events) => {
        for (const part of parts) part.projected?.(events)
      }
    }
  }
}
