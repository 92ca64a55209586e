import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { type Aggregate, AggregateStates } from "../../engine/journal/Aggregate.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import type { TableRow } from "../../engine/journal/TableRow.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { RowWriter } from "./RowWriter.ts"

/** Statements of one transaction, in the order in which they must run. */
export type Statements = ReadonlyArray<Statement<unknown>>

/** The answer that a caller's retry gets. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

type Tag = PlatformEvent["_tag"]

/** The events of one kind. */
export type Of<T extends Tag> = Extract<PlatformEvent, { readonly _tag: T }>

/** Gives the accounts that a transaction touched, as they are at its end. */
export type Accounts = (id: AccountId) => Account

type Events = ReadonlyArray<Recorded<PlatformEvent>>

/** What the events of one transaction make of the rows of aggregates. */
export interface AggregateRows {
  /** What the next event makes of them. */
  readonly take: (recorded: Recorded<PlatformEvent>) => ReadonlyArray<TableRow>
  /** Is told once the tables have all of it. */
  readonly written: () => void
}

/** Aggregates of one kind, whose rows follow from their events by the states before them. */
export interface AggregateProjection {
  /** Begins with the states that the tables have. */
  readonly begin: (events: Events) => Effect.Effect<AggregateRows, SqlError>
}

/** Names of states of one kind that are remembered. */
const KEPT_NAMES = 8_192

/**
 * Remembers the states that were used last, and reads the others.
 *
 * @param load - the states of these names that there are, by one statement, which does not wait for the tables
 */
export const aggregates = <S>(
  aggregate: Aggregate<S>,
  load: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<S>, SqlError>,
  capacity = KEPT_NAMES
): AggregateProjection => {
  const states = new AggregateStates(aggregate, capacity)
  return {
    begin: Effect.fnUntraced(function* (events: Events) {
      const { missing, steps } = states.begin(events)
      if (missing.length > 0) for (const state of yield* load(missing)) steps.load(state)
      return { take: (recorded) => steps.take(recorded), written: () => states.keep(steps.states) }
    })
  }
}

/** What a transaction writes. */
export interface ProjectedWrite {
  /** In the order in which they must run. */
  readonly statements: Statements
  /** Is to be told once they are committed. What fails, or may have, is begun anew from what the tables have. */
  readonly written: () => void
}

/** What one context makes of recorded events. */
export interface ContextProjection {
  /** What a recorded event makes of the context's tables, by its kind. */
  readonly rows?: { readonly [T in Tag]?: (recorded: Recorded<Of<T>>) => ReadonlyArray<TableRow> }
  /** What recorded events make of rows that do not follow from an event alone. */
  readonly aggregates?: ReadonlyArray<AggregateProjection>
  /** The statements that write what follows from neither, in the order in which they must run. */
  readonly write?: (events: ReadonlyArray<Recorded<PlatformEvent>>) => Statements
  /**
   * Kinds whose statements may write several groups as one, where these have no others: no statement of theirs depends
   * on where a group ends.
   */
  readonly merges?: ReadonlyArray<Tag>
  /** The answers of requests that are recorded with their idempotency key, by the kind of event. */
  readonly answers: { readonly [T in Tag]?: (recorded: Recorded<Of<T>>, accounts: Accounts) => StoredAnswer }
  /** Is told of events that the tables have, in the order of their sequence. Must not wait. */
  readonly projected?: (events: ReadonlyArray<Recorded<PlatformEvent>>) => void
}

/** The recorded events of one kind, in their order. */
export const only = <T extends Tag>(
  events: ReadonlyArray<Recorded<PlatformEvent>>,
  tag: T
): ReadonlyArray<Recorded<Of<T>>> =>
  events.filter((recorded): recorded is Recorded<Of<T>> => recorded.event._tag === tag)

/** What `write` makes of the events of one kind: nothing where there are none. */
export const each = <T extends Tag>(
  events: ReadonlyArray<Recorded<PlatformEvent>>,
  tag: T,
  write: (events: ReadonlyArray<Recorded<Of<T>>>) => Statements
): Statements => {
  const found = only(events, tag)
  return found.length === 0 ? [] : write(found)
}

/** The events of groups, those of consecutive ones together where they have none but kinds that may be merged. */
const runsOf = (
  groups: ReadonlyArray<ReadonlyArray<Recorded<PlatformEvent>>>,
  merging: ReadonlySet<Tag>
): ReadonlyArray<ReadonlyArray<Recorded<PlatformEvent>>> => {
  const runs: Array<Array<Recorded<PlatformEvent>>> = []
  let isOpen = false
  for (const events of groups) {
    const merges = events.every(({ event }) => merging.has(event._tag))
    if (merges && isOpen) runs.at(-1)?.push(...events)
    else runs.push([...events])
    isOpen = merges
  }
  return runs
}

type AnyRows = Readonly<Record<string, ((recorded: Recorded<PlatformEvent>) => ReadonlyArray<TableRow>) | undefined>>

/** A context's projection that has begun with the events of a transaction. */
interface Begun {
  readonly part: ContextProjection
  readonly aggregates: ReadonlyArray<AggregateRows>
}

/** The rows of one context, in the order of the events. */
const rowsOf = ({ aggregates, part: { rows = {} } }: Begun, events: Events): ReadonlyArray<TableRow> =>
  events.flatMap((recorded) => [
    ...((rows as AnyRows)[recorded.event._tag]?.(recorded) ?? []),
    ...aggregates.flatMap((aggregate) => aggregate.take(recorded))
  ])

type AnyAnswer = (recorded: Recorded<PlatformEvent>, accounts: Accounts) => StoredAnswer

/**
 * What else a recorded event writes, in its own transaction: each context's tables, and the answers kept for retries.
 * The application's graph composes it from the contexts.
 */
export class Projection extends Context.Service<
  Projection,
  {
    /** What writes the events of groups, the next that the tables lack. */
    readonly write: (groups: ReadonlyArray<Events>) => Effect.Effect<ProjectedWrite, SqlError>
    readonly answer: (recorded: Recorded<PlatformEvent>, accounts: Accounts) => StoredAnswer
    /** Is told of events that the tables have, in the order of their sequence. */
    readonly projected: (events: ReadonlyArray<Recorded<PlatformEvent>>) => void
  }
>()("emporion/database/Projection") {
  /** All contexts' projections as one, written in this order. An answer that no context has is a defect. */
  static readonly composed = (
    parts: ReadonlyArray<ContextProjection>,
    writer: RowWriter["Service"]
  ): Projection["Service"] => {
    const answers = new Map(parts.flatMap((part) => Object.entries(part.answers as Record<string, AnyAnswer>)))
    const merging = new Set<Tag>(parts.flatMap(({ merges = [] }) => merges))
    return {
      write: Effect.fnUntraced(function* (groups: ReadonlyArray<Events>) {
        const events = groups.flat()
        const begun = yield* Effect.forEach(parts, (part) =>
          Effect.map(
            Effect.forEach(part.aggregates ?? [], ({ begin }) => begin(events)),
            (aggregates): Begun => ({ part, aggregates })
          )
        )
        const statements = runsOf(groups, merging).flatMap((run) =>
          begun.flatMap((one) => [...writer.write(rowsOf(one, run)), ...(one.part.write?.(run) ?? [])])
        )
        const written = () => {
          for (const { aggregates } of begun) for (const aggregate of aggregates) aggregate.written()
        }
        return { statements, written }
      }),
      answer: (recorded, accounts) => {
        const answer = answers.get(recorded.event._tag)
        if (answer === undefined) throw new TypeError(`no answer is kept for ${recorded.event._tag}`)
        return answer(recorded, accounts)
      },
      projected: (events) => {
        for (const part of parts) part.projected?.(events)
      }
    }
  }
}
