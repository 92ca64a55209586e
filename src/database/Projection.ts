import { Context } from "effect"
import type { Statement } from "effect/sql/Statement"
import type { Recorded } from "../../engine/actor/Journal.ts"
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

/** What one context makes of recorded events. */
export interface ContextProjection {
  /** What a recorded event makes of the context's tables, by its kind. */
  readonly rows?: { readonly [T in Tag]?: (recorded: Recorded<Of<T>>) => ReadonlyArray<TableRow> }
  /** The statements that write what does not follow from an event alone, in the order in which they must run. */
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

/** The rows of one context, in the order of the events. */
const rowsOf = (
  rows: NonNullable<ContextProjection["rows"]>,
  events: ReadonlyArray<Recorded<PlatformEvent>>
): ReadonlyArray<TableRow> => events.flatMap((recorded) => (rows as AnyRows)[recorded.event._tag]?.(recorded) ?? [])

type AnyAnswer = (recorded: Recorded<PlatformEvent>, accounts: Accounts) => StoredAnswer

/**
 * What else a recorded event writes, in its own transaction: each context's tables, and the answers kept for retries.
 * The application's graph composes it from the contexts.
 */
export class Projection extends Context.Service<
  Projection,
  {
    /** The statements that write the events of groups, in the order in which they must run. */
    readonly write: (groups: ReadonlyArray<ReadonlyArray<Recorded<PlatformEvent>>>) => Statements
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
      write: (groups) =>
        runsOf(groups, merging).flatMap((events) =>
          parts.flatMap(({ rows, write }) => [
            ...(rows === undefined ? [] : writer.write(rowsOf(rows, events))),
            ...(write === undefined ? [] : write(events))
          ])
        ),
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
