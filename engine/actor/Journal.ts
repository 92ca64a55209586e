/** The journal as an actor sees it: batches of entries, and what becomes of each. */

import type { Effect, Exit } from "effect"
import { Data } from "effect"
import type { Command } from "../ledger/Command.ts"
import type { LedgerError } from "../ledger/Book.ts"

/** Remembers the answer of an accepted entry for a caller's retries. */
export interface Idempotency {
  /** The caller and its key, as one string. */
  readonly key: string
  /** A hash of the request, so that another body under the same key is noticed. */
  readonly fingerprint: string
  /** What is remembered, where whoever decided knows it; else it is made from the recorded event. */
  readonly answer?: { readonly status: number; readonly body: string }
}

/**
 * One all-or-nothing step: the ledger takes every command and the event is recorded, or nothing happens and the entry
 * is refused with the ledger's error.
 */
export interface Entry<Event> {
  readonly commands: ReadonlyArray<Command>
  readonly event: Event
  readonly idempotency?: Idempotency | undefined
}

/** A stream that a decision was made on, and the version that it read. */
export interface Precondition {
  readonly stream: string
  readonly version: number
}

/** What one actor decided, in order. All of it is written in one transaction. */
export interface Batch<Event> {
  /** The actor's stream of events, such as `order/ord_1`. */
  readonly stream: string
  /**
   * The version the decision was made on, 0 for a new stream: another one in the journal refuses the whole batch. Null
   * where the decision does not depend on the stream.
   */
  readonly version: number | null
  /** The stream's id was drawn at random for this batch: nobody can have written to it, and it need not be read. */
  readonly isNew?: boolean
  /** Other streams that the decision was made on: another version of one of them refuses the whole batch. */
  readonly preconditions?: ReadonlyArray<Precondition>
  /**
   * Names that must be unique and that its first accepted entry takes for good: one that is taken refuses the whole
   * batch, as a stream at another version does.
   */
  readonly claims?: ReadonlyArray<string>
  /** Names that nobody may have taken yet: one that is taken refuses the whole batch. It does not take them. */
  readonly unclaimed?: ReadonlyArray<string>
  /** It gives back what others wait for, as a settlement does: it is written however far the tables lag behind. */
  readonly isUrgent?: true
  readonly entries: ReadonlyArray<Entry<Event>>
}

/** An event that is durable. */
export interface Recorded<Event> {
  /** Its place in all events, gapless from 1, in commit order. */
  readonly seq: number
  readonly stream: string
  /** Its place in its stream, gapless from 1. */
  readonly version: number
  readonly event: Event
  /** SHA-256 over the previous hash of the stream and the event, in hex. */
  readonly hash: string
}

export type Outcome<Event> =
  | { readonly _tag: "Accepted"; readonly recorded: Recorded<Event> }
  | { readonly _tag: "Refused"; readonly error: LedgerError }

/** The journal holds another version of this stream: the actor is stale and must be rebuilt. */
export class StaleVersion extends Data.TaggedError("StaleVersion")<{
  readonly stream: string
  readonly expected: number
  readonly actual: number
}> {
  override get message(): string {
    return `${this.stream} is at version ${this.actual}, not ${this.expected}`
  }
}

/** The journal cannot write now. Whether the batch was written is unknown until the actor is rebuilt, unless it says so. */
export class JournalUnavailable extends Data.TaggedError("JournalUnavailable")<{
  readonly reason: string
  /** Nothing of the batch was written, nor will be: what it was decided on still holds. */
  readonly isUnwritten?: true
}> {
  override get message(): string {
    return this.reason
  }
}

export interface Journal<Event> {
  /** Writes a batch and answers once it is durable, with one outcome an entry, in order. */
  readonly append: <E extends Event>(
    batch: Batch<E>
  ) => Effect.Effect<ReadonlyArray<Outcome<E>>, StaleVersion | JournalUnavailable>
}

/** What became of a batch: one outcome an entry, in order. */
export type Appended<Event> = Exit.Exit<ReadonlyArray<Outcome<Event>>, StaleVersion | JournalUnavailable>

/** A journal that needs no fiber of whoever writes. */
export interface TellingJournal<Event> extends Journal<Event> {
  /**
   * Enters a batch at once, and has what became of it given to a function, once it is durable or refused, which may be at
   * once. What the function throws is logged, and costs nobody else an outcome.
   */
  readonly tell: <E extends Event>(batch: Batch<E>, give: (appended: Appended<E>) => void) => void
}
