import { Result } from "effect"
import type { Book } from "../ledger/Book.ts"
import { type ChainHash, encodeEvent, GENESIS, toHex } from "./EventChain.ts"
import { type Batch, type Idempotency, type Outcome, type Recorded, StaleVersion } from "./Journal.ts"

/** The end of a stream's chain. */
export interface StreamHead {
  readonly version: number
  readonly hash: Uint8Array
}

/** What a group of batches touches, locked. */
export interface LoadedGroup {
  readonly book: Book
  readonly heads: { readonly get: (stream: string) => StreamHead | undefined }
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

/** Which event placed or resolved a hold or a basket, posted a transfer, or left a receivable. */
export interface LedgerTrace {
  readonly holds: ReadonlyMap<string, { placedBy?: number; resolvedBy?: number }>
  readonly baskets: ReadonlyMap<string, { placedBy?: number; resolvedBy?: number }>
  readonly postings: ReadonlyArray<number>
  readonly receivables: ReadonlyArray<number>
}

/** Everything one transaction writes, and what each of its batches is told. */
export interface GroupResult<Event> {
  readonly book: Book
  readonly recorded: ReadonlyArray<ChainedEvent<Event>>
  readonly heads: ReadonlyMap<string, StreamHead>
  readonly trace: LedgerTrace
  readonly answers: ReadonlyArray<AnswerKey<Event>>
  readonly results: ReadonlyArray<Result.Result<ReadonlyArray<Outcome<Event>>, StaleVersion>>
}

/**
 * Decides a group of batches on what was loaded: which entries the ledger takes, their sequence, and the links of their
 * chains. A batch on another version than its stream's, or than that of a stream it builds on, is refused whole. `encode` must give the bytes of
 * {@link encodeEvent}.
 */
export const settleGroup = <Event extends object>(
  batches: ReadonlyArray<Batch<Event>>,
  { book, heads: loaded }: LoadedGroup,
  lastSeq: number,
  link: ChainHash,
  encode: (event: Event) => string = encodeEvent
): GroupResult<Event> => {
  const heads = new Map<string, StreamHead>()
  const recorded: Array<ChainedEvent<Event>> = []
  const answers: Array<AnswerKey<Event>> = []
  const holds = new Map<string, { placedBy?: number; resolvedBy?: number }>()
  const baskets = new Map<string, { placedBy?: number; resolvedBy?: number }>()
  const postings: Array<number> = []
  const receivables: Array<number> = []

  const settleBatch = (batch: Batch<Event>): GroupResult<Event>["results"][number] => {
    let head = heads.get(batch.stream) ?? loaded.get(batch.stream) ?? { version: 0, hash: GENESIS }
    if (batch.version !== null && batch.version !== head.version) {
      return Result.fail(new StaleVersion({ stream: batch.stream, expected: batch.version, actual: head.version }))
    }
    for (const { stream, version } of batch.premises ?? []) {
      const actual = (heads.get(stream) ?? loaded.get(stream))?.version ?? 0
      if (version !== actual) return Result.fail(new StaleVersion({ stream, expected: version, actual }))
    }
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
      while (postings.length < book.postings.length) postings.push(event.seq)
      while (receivables.length < book.receivables.length) receivables.push(event.seq)
      for (const command of entry.commands) {
        if (command._tag === "Hold") holds.set(command.id, { placedBy: event.seq })
        if (command._tag === "Release" || command._tag === "Capture") {
          holds.set(command.hold, { ...holds.get(command.hold), resolvedBy: event.seq })
        }
        if (command._tag === "HoldBasket") baskets.set(command.id, { placedBy: event.seq })
        if (command._tag === "ReleaseBasket" || command._tag === "TakeBasket") {
          baskets.set(command.basket, { ...baskets.get(command.basket), resolvedBy: event.seq })
        }
      }
      if (entry.idempotency !== undefined) answers.push({ ...entry.idempotency, recorded: event })
      outcomes.push({ _tag: "Accepted", recorded: event })
    }
    if (outcomes.some(({ _tag }) => _tag === "Accepted")) heads.set(batch.stream, head)
    return Result.succeed(outcomes)
  }

  const results = batches.map(settleBatch)
  return { book, recorded, heads, trace: { holds, baskets, postings, receivables }, answers, results }
}
