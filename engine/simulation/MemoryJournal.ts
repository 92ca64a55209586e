import { Deferred, Effect } from "effect"
import { type ChainedEvent, type GroupResult, settleGroup, type StreamHead } from "../actor/CommitGroup.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import { type Batch, type Journal, JournalUnavailable, type Outcome, type StaleVersion } from "../actor/Journal.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import { Book, type HoldRecord } from "../ledger/Book.ts"
import { ZERO } from "../money/Amount.ts"

/** Entries written in one transaction, unless a single batch has more. */
export const MAX_GROUP_ENTRIES = 2_000

/** What becomes of a transaction: written and answered; not written; or written, but the answer is lost. */
export type Fate = "written" | "failed" | "unanswered"

/** One transaction, after its commit and before anybody is told. */
export interface Commit<Event extends object> {
  readonly batches: ReadonlyArray<Batch<Event>>
  readonly settled: GroupResult<Event>
}

export interface MemoryJournalOptions<Event extends object> {
  readonly link: ChainHash
  /** Gives the bytes of an event, the same as the engine's own encoding. */
  readonly encode?: (event: Event) => string
  /** Runs the writer later, once: a transaction takes its time, and batches that arrive meanwhile wait for the next. */
  readonly defer: (write: () => void) => void
  readonly fate?: () => Fate
  readonly onCommit?: (commit: Commit<Event>) => void
  /** Makes what a transaction works on the ledger with: the journal's own accounts and holds. */
  readonly makeBook?: (accounts: Map<AccountId, Account>, holds: Map<string, HoldRecord>) => Book
}

interface Waiting<Event extends object> {
  readonly batch: Batch<Event>
  readonly done: Deferred.Deferred<ReadonlyArray<Outcome<Event>>, StaleVersion | JournalUnavailable>
}

const OPEN_AND_EMPTY = { balance: ZERO, held: ZERO, closed: false }

/**
 * The journal in memory, with everything that the durable one has: one writer that merges what waits into one
 * transaction, one gapless sequence, a hash chain for each stream, and
 * the answers that are kept for a caller's retries.
 */
export class MemoryJournal<Event extends object> implements Journal<Event> {
  readonly accounts = new Map<AccountId, Account>()
  readonly holds = new Map<string, HoldRecord>()
  readonly heads = new Map<string, StreamHead>()
  readonly events: Array<ChainedEvent<Event>> = []
  /** By key, the answer of what was committed under it. */
  readonly answers = new Map<string, ChainedEvent<Event>>()
  /** By name, the event that claimed it. */
  readonly claims = new Map<string, number>()
  readonly #streams = new Map<string, Array<ChainedEvent<Event>>>()
  readonly #options: MemoryJournalOptions<Event>
  #waiting: Array<Waiting<Event>> = []
  #isWriting = false
  #commits = 0

  constructor(options: MemoryJournalOptions<Event>) {
    this.#options = options
  }

  /** How many transactions were committed. */
  get commits(): number {
    return this.#commits
  }

  account(id: AccountId): Account {
    return this.accounts.get(id) ?? { id, ...OPEN_AND_EMPTY }
  }

  /** A stream's events, in order. */
  stream(id: string): ReadonlyArray<ChainedEvent<Event>> {
    return this.#streams.get(id) ?? []
  }

  /** Opens or closes an account to new holds and credits. */
  setClosed(id: AccountId, closed: boolean): void {
    this.accounts.set(id, { ...this.account(id), closed })
  }

  readonly append = <E extends Event>(
    batch: Batch<E>
  ): Effect.Effect<ReadonlyArray<Outcome<E>>, StaleVersion | JournalUnavailable> =>
    // What was recorded of a batch are its own events.
    Effect.suspend(() => Deferred.await(this.enter(batch))) as Effect.Effect<
      ReadonlyArray<Outcome<E>>,
      StaleVersion | JournalUnavailable
    >

  /** Enters a batch to be written, and answers where its outcome will be told. */
  enter(batch: Batch<Event>): Waiting<Event>["done"] {
    const done = Deferred.makeUnsafe<ReadonlyArray<Outcome<Event>>, StaleVersion | JournalUnavailable>()
    this.#waiting.push({ batch, done })
    this.#schedule()
    return done
  }

  /** Forgets what waits to be written, as the end of a process does. */
  forget(): void {
    this.#waiting = []
  }

  #schedule(): void {
    if (this.#isWriting || this.#waiting.length === 0) return
    this.#isWriting = true
    this.#options.defer(() => {
      this.#transact(this.#take())
      this.#isWriting = false
      this.#schedule()
    })
  }

  #take(): ReadonlyArray<Waiting<Event>> {
    let entries = 0
    let count = 0
    for (const { batch } of this.#waiting) {
      if (count > 0 && entries + batch.entries.length > MAX_GROUP_ENTRIES) break
      entries += batch.entries.length
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  #transact(group: ReadonlyArray<Waiting<Event>>): void {
    const fate = this.#options.fate?.() ?? "written"
    const lost = new JournalUnavailable({ reason: "the journal does not answer" })
    if (fate === "failed") return answerAll(group, Effect.fail(lost))
    const batches = group.map(({ batch }) => batch)
    const { link, encode, makeBook = (accounts, holds) => new Book(accounts, holds) } = this.#options
    const loaded = {
      book: makeBook(this.accounts, this.holds),
      heads: this.heads,
      claimed: new Set(this.claims.keys())
    }
    const settled = settleGroup(batches, loaded, this.events.length, link, encode)
    this.#write(settled)
    this.#commits += 1
    this.#options.onCommit?.({ batches, settled })
    if (fate === "unanswered") return answerAll(group, Effect.fail(lost))
    for (const [index, { done }] of group.entries()) {
      const result = settled.results[index]
      if (result !== undefined) Deferred.doneUnsafe(done, Effect.fromResult(result))
    }
  }

  /** Accounts and holds are there already: the book works on them. */
  #write({ recorded, heads, answers, claims }: GroupResult<Event>): void {
    for (const [id, head] of heads) this.heads.set(id, head)
    for (const event of recorded) {
      this.events.push(event)
      const stream = this.#streams.get(event.stream)
      if (stream === undefined) this.#streams.set(event.stream, [event])
      else stream.push(event)
    }
    for (const [name, seq] of claims) this.claims.set(name, seq)
    for (const { key, recorded: answer } of answers) this.answers.set(key, answer)
  }
}

const answerAll = <Event extends object>(
  group: ReadonlyArray<Waiting<Event>>,
  answer: Effect.Effect<never, JournalUnavailable>
): void => {
  for (const { done } of group) Deferred.doneUnsafe(done, answer)
}
