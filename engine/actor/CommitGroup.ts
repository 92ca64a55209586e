/**
 * Checks the batches of a group against versions, claims, keys and the ledger, and links their events to their
 * chains.
 */

import { Result } from "effect"
import type { Book } from "../ledger/Book.ts"
import type { Command } from "../ledger/Command.ts"
import { type ChainHash, encodeEvent, GENESIS, toHex } from "./EventChain.ts"
import {
  type Batch,
  type Idempotency,
  JournalUnavailable,
  type Outcome,
  type Recorded,
  StaleVersion
} from "./Journal.ts"

/** The end of a stream's chain. */
export interface StreamHead {
  readonly version: number
  readonly hash: Uint8Array
}

/** What a group of batches touches, locked. */
export interface LoadedGroup {
  readonly book: Book
  readonly heads: { readonly get: (stream: string) => StreamHead | undefined }
  /** Those of the names that the batches claim, or count on as unclaimed, that are taken. */
  readonly claimed?: ReadonlySet<string>
  /** Those of the entries' keys under which an answer is kept, where that was looked for. */
  readonly answered?: ReadonlySet<string>
}

/** An event with the bytes that were hashed. */
export interface ChainedEvent<Event> extends Recorded<Event> {
  readonly data: string
  readonly hashBytes: Uint8Array
}

/** An event whose answer is kept for the caller's retries. */
export interface AnswerKey<Event> extends Idempotency {
  readonly recorded: ChainedEvent<Event>
}

/** Which event placed or resolved a hold or a multi-hold, posted a transfer, or left a receivable. */
export class LedgerTrace {
  readonly holds = new Map<string, { placedBy?: number; resolvedBy?: number }>()
  readonly multiHolds = new Map<string, { placedBy?: number; resolvedBy?: number }>()
  readonly postings: Array<number> = []
  readonly receivables: Array<number> = []

  /** Notes what an event's commands made of the book. */
  note(seq: number, commands: ReadonlyArray<Command>, book: Book): void {
    while (this.postings.length < book.postings.length) this.postings.push(seq)
    while (this.receivables.length < book.receivables.length) this.receivables.push(seq)
    for (const command of commands) {
      if (command._tag === "Hold") this.holds.set(command.id, { placedBy: seq })
      if (command._tag === "Release" || command._tag === "Capture") {
        this.holds.set(command.hold, { ...this.holds.get(command.hold), resolvedBy: seq })
      }
      if (command._tag === "PlaceMultiHold") this.multiHolds.set(command.id, { placedBy: seq })
      if (command._tag === "ReleaseMultiHold" || command._tag === "TakeMultiHold") {
        this.multiHolds.set(command.multiHold, { ...this.multiHolds.get(command.multiHold), resolvedBy: seq })
      }
    }
  }
}

/** Everything one transaction writes, and what each of its batches is told. */
export interface GroupResult<Event> {
  readonly book: Book
  readonly recorded: ReadonlyArray<ChainedEvent<Event>>
  /** What the ledger took with each of them. */
  readonly commands: ReadonlyArray<ReadonlyArray<Command>>
  readonly heads: ReadonlyMap<string, StreamHead>
  readonly trace: LedgerTrace
  /** Names that were claimed, and the event that did. */
  readonly claims: ReadonlyMap<string, number>
  readonly answers: ReadonlyArray<AnswerKey<Event>>
  readonly results: ReadonlyArray<Result.Result<ReadonlyArray<Outcome<Event>>, StaleVersion | JournalUnavailable>>
}

/** Whoever asked reads the answer by its key. */
const keyAnswered = (): JournalUnavailable =>
  new JournalUnavailable({ reason: "an answer is kept under the key already: ask again", isUnwritten: true })

/** What there is by now. */
interface JournalFacts {
  readonly versionOf: (stream: string) => number
  readonly isClaimed: (name: string) => boolean
  readonly isAnswered: (key: string) => boolean
}

/** Why none of a batch is taken. */
const refusalOf = <Event>(
  { claims = [], entries, preconditions = [], stream, unclaimed = [], version }: Batch<Event>,
  { isAnswered, isClaimed, versionOf }: JournalFacts
): StaleVersion | JournalUnavailable | undefined => {
  for (const on of version === null ? preconditions : [{ stream, version }, ...preconditions]) {
    const actual = versionOf(on.stream)
    if (on.version !== actual) return new StaleVersion({ stream: on.stream, expected: on.version, actual })
  }
  const taken = claims.find(isClaimed) ?? unclaimed.find(isClaimed)
  if (taken !== undefined) return new StaleVersion({ stream: taken, expected: 0, actual: 1 })
  const isKept = entries.some(({ idempotency }) => idempotency !== undefined && isAnswered(idempotency.key))
  return isKept ? keyAnswered() : undefined
}

/**
 * Decides a group of batches on what was loaded: which entries the ledger takes, their sequence, and the links of their
 * chains. A batch on another version than its stream's, or than that of a stream it builds on, is refused whole, and so is
 * one that claims a name that is taken, or counts on it as unclaimed, or has a key that is answered. `encode` must give the
 * bytes of {@link encodeEvent}.
 */
export const settleGroup = <Event extends object>(
  batches: ReadonlyArray<Batch<Event>>,
  { answered, book, claimed, heads: loaded }: LoadedGroup,
  lastSeq: number,
  link: ChainHash,
  encode: (event: Event) => string = encodeEvent
): GroupResult<Event> => {
  const heads = new Map<string, StreamHead>()
  const recorded: Array<ChainedEvent<Event>> = []
  const commands: Array<ReadonlyArray<Command>> = []
  const answers: Array<AnswerKey<Event>> = []
  const trace = new LedgerTrace()
  const claims = new Map<string, number>()
  const keys = new Set<string>()

  const so = {
    versionOf: (stream: string): number => (heads.get(stream) ?? loaded.get(stream))?.version ?? 0,
    isClaimed: (name: string): boolean => claims.has(name) || claimed?.has(name) === true,
    isAnswered: (key: string): boolean => keys.has(key) || answered?.has(key) === true
  }

  const settleBatch = (batch: Batch<Event>): GroupResult<Event>["results"][number] => {
    const refusal = refusalOf(batch, so)
    if (refusal !== undefined) return Result.fail(refusal)
    let head = heads.get(batch.stream) ?? loaded.get(batch.stream) ?? { version: 0, hash: GENESIS }
    const first = lastSeq + recorded.length + 1
    const outcomes: Array<Outcome<Event>> = []
    for (const entry of batch.entries) {
      const applied = book.apply(entry.commands)
      if (Result.isFailure(applied)) {
        outcomes.push({ _tag: "Refused", error: applied.failure })
        continue
      }
      const data = encode(entry.event)
      const hashBytes = link(head.hash, data)
      head = { version: head.version + 1, hash: hashBytes }
      const event: ChainedEvent<Event> = {
        seq: lastSeq + recorded.length + 1,
        stream: batch.stream,
        version: head.version,
        event: entry.event,
        hash: toHex(hashBytes),
        hashBytes,
        data
      }
      recorded.push(event)
      commands.push(entry.commands)
      trace.note(event.seq, entry.commands, book)
      if (entry.idempotency !== undefined) {
        keys.add(entry.idempotency.key)
        answers.push({ ...entry.idempotency, recorded: event })
      }
      outcomes.push({ _tag: "Accepted", recorded: event })
    }
    if (outcomes.some(({ _tag }) => _tag === "Accepted")) {
      heads.set(batch.stream, head)
      for (const name of batch.claims ?? []) claims.set(name, first)
    }
    return Result.succeed(outcomes)
  }

  const results = batches.map(settleBatch)
  return { book, recorded, commands, heads, trace, claims, answers, results }
}
