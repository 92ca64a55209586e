import { Deferred, Effect } from "effect"
import type { GroupResult, LoadedGroup } from "../actor/CommitGroup.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import type { Batch, Journal, JournalUnavailable, Outcome, StaleVersion } from "../actor/Journal.ts"
import type { AppendedGroup, GroupRows } from "../journal/AppendedGroup.ts"
import type { CommitListener } from "../journal/GroupWriter.ts"
import { WriterMemory } from "../journal/WriterMemory.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { Book } from "../ledger/Book.ts"
import type { Command } from "../ledger/Command.ts"
import { ZERO } from "../money/Amount.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { Asked, Fate } from "./CallFate.ts"
import type { JournalEnd } from "../journal/JournalRow.ts"
import { HistoryTables } from "./HistoryTables.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { MemoryServer } from "./MemoryServer.ts"
import type { KeptEvent } from "./MemoryTables.ts"
import { serve, type Served, SHIPPED_PARTS, type WriteParts } from "./MemoryWritePath.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

/** A group that became durable, before anybody is told. */
export interface Commit {
  readonly settled: GroupResult<PlatformEvent>
  /** What the ledger was asked, entry by entry, and whether it took it. */
  readonly asked: ReadonlyArray<AskedOfLedger>
}

export interface AskedOfLedger {
  readonly commands: ReadonlyArray<Command>
  readonly isAccepted: boolean
}

export interface SimulatedJournalOptions {
  readonly link: ChainHash
  readonly clock: VirtualClock
  readonly fork: Fork
  /** What becomes of a call of the writer's, and how long it takes. */
  readonly fateOf: (asked: Asked) => Fate
  /** How much the writer remembers of what the tables have; as much as it ships with unless said. */
  readonly remembered?: number | undefined
  /** Told of what is about to be written. */
  readonly onAsked?: (batch: Batch<PlatformEvent>) => void
  readonly onCommit?: (commit: Commit) => void
  /** Told of the events that the tables got, each once, in their order. */
  readonly onProjected?: (events: ReadonlyArray<KeptEvent>) => void
  /** Told of what was committed, as listeners of the write path are. */
  readonly onTold?: CommitListener
  /** Hears of what cannot be. */
  readonly report: (problem: string) => void
  readonly planted?: PlantedJournal | undefined
}

/** Faults of a journal, to see that they are found. */
export interface PlantedJournal {
  /** Changes what a group is decided on. */
  readonly book?: (book: Book) => Book
  /** Changes what is asked to be written. */
  readonly batch?: (batch: Batch<PlatformEvent>) => Batch<PlatformEvent>
  /** Changes what a process writes by. */
  readonly keys?: WriteParts["keys"]
  /** Is told of each commit. */
  readonly committed?: (journal: SimulatedJournal, commits: number) => void
}

/** What a key's retries are answered from. */
export type Answered = Pick<KeptEvent, "seq" | "stream" | "hash">

interface KeptAnswer extends Answered {
  /** Milliseconds after the start. */
  readonly at: number
}

/** For how long, in milliseconds, the world's clients may ask for what they asked before: far longer than any of them does. */
export const CLIENT_PATIENCE = 3_600_000

/** How often answers are given up, in milliseconds: whoever looks for the first one passes all that are gone. */
const FORGET_MILLIS = 60_000

/** Milliseconds that a transaction of a world takes. */
export const COMMIT_MILLIS = [2, 12] as const

/** How much a writer remembers of what the tables have, in one world or another. */
export const REMEMBERED = [0, 100, 100_000] as const

/**
 * The journal of a simulation: the write path that ships, on a database in memory that answers in the time, and fails in
 * the way, that the world has it. Another process begins where the one before is killed, with whatever was on its way.
 */
export class SimulatedJournal implements Journal<PlatformEvent> {
  /** What the whole journal leaves of each account. */
  readonly accounts = new Map<AccountId, Account>()
  /** By key, what was committed under it, in that order, as long as somebody may ask for it. */
  readonly answers = new Map<string, KeptAnswer>()
  readonly #options: SimulatedJournalOptions
  readonly #database: ToldDatabase
  readonly #parts: WriteParts
  readonly #asked = new WeakMap<Book, Array<AskedOfLedger>>()
  #server: MemoryServer
  #serving = Deferred.makeUnsafe<Served>()
  /** What {@link #serving} came to. */
  #served: Served | undefined
  #forgetsAt = 0
  #processes = 0
  #commits = 0

  constructor(options: SimulatedJournalOptions) {
    this.#options = options
    this.#parts = {
      ...SHIPPED_PARTS,
      keys: options.planted?.keys ?? SHIPPED_PARTS.keys,
      memory: () => new WriterMemory(options.remembered),
      journal: (given) => ({
        ...given,
        load: (...group) => Effect.map(given.load(...group), (loaded) => this.#loaded(loaded))
      })
    }
    this.#database = new ToldDatabase((group) => this.#commit(group), options.onProjected ?? noop)
    this.#server = this.#begin()
  }

  /** How many groups were committed. */
  get commits(): number {
    return this.#commits
  }

  /** The sequence of the last event. */
  get lastSeq(): number {
    return this.#database.end.seq
  }

  /** What follows the journal, some milliseconds behind it. */
  get tables(): HistoryTables {
    return this.#database.tables
  }

  /** Whether the tables have all there is. */
  get isProjected(): boolean {
    return this.tables.seq === this.lastSeq
  }

  account(id: AccountId): Account {
    return this.accounts.get(id) ?? { id, balance: ZERO, held: ZERO, closed: false }
  }

  /** All events, as far as the tables have them. */
  get events(): Array<KeptEvent> {
    return this.tables.events
  }

  /** A stream's events, in order, as far as the tables have them. */
  stream(id: string): ReadonlyArray<KeptEvent> {
    return this.tables.stream(id)
  }

  /** Whether the process that is there has its term: one that has not serves nobody, and has read nothing. */
  get isServing(): boolean {
    return Deferred.isDoneUnsafe(this.#serving)
  }

  /**
   * Waits until the process that is there has its term. Then nothing of the process before it can still be written, so
   * that what is read from then on is what there is. Of a process that ends before, it waits for ever.
   */
  readonly served: Effect.Effect<void> = Effect.suspend(() => Effect.asVoid(Deferred.await(this.#serving)))

  /** Waits until the tables have what was told before. */
  readonly reached: Effect.Effect<void, JournalUnavailable> = Effect.suspend(() =>
    Effect.flatMap(Deferred.await(this.#serving), ({ position }) => position.reached)
  )

  readonly append = <E extends PlatformEvent>(
    batch: Batch<E>
  ): Effect.Effect<ReadonlyArray<Outcome<E>>, StaleVersion | JournalUnavailable> =>
    Effect.suspend(() => {
      this.#options.onAsked?.(batch as Batch<PlatformEvent>)
      const write = ({ journal }: Served) =>
        journal.append((this.#options.planted?.batch?.(batch) ?? batch) as Batch<E>)
      return this.#served === undefined ? Effect.flatMap(Deferred.await(this.#serving), write) : write(this.#served)
    })

  /** Has a batch written without anybody waiting for it. */
  enter(batch: Batch<PlatformEvent>): void {
    this.#options.fork(Effect.exit(this.append(batch)))
  }

  /** Ends the process that writes, with whatever it knows, and begins another one. */
  restart(): void {
    this.#server.kill()
    this.#serving = Deferred.makeUnsafe()
    this.#served = undefined
    this.#server = this.#begin()
  }

  #begin(): MemoryServer {
    const { clock, fateOf, fork, link, onTold = noop, report } = this.#options
    const server = new MemoryServer(++this.#processes, {
      database: this.#database,
      clock,
      fateOf,
      report,
      start: () => {}
    })
    const serving = this.#serving
    fork(
      Effect.map(serve(server, this.#parts, link), (served) => {
        served.journal.onCommit((recorded, changed) => {
          this.#database.prune(served.position.projected)
          onTold(recorded, changed)
        })
        Deferred.doneUnsafe(serving, Effect.succeed(served))
        if (serving === this.#serving) this.#served = served
      })
    )
    return server
  }

  #loaded(loaded: LoadedGroup): LoadedGroup {
    const book = this.#options.planted?.book?.(loaded.book) ?? loaded.book
    const asked: Array<AskedOfLedger> = []
    const apply = book.apply.bind(book)
    book.apply = (commands) => {
      const applied = apply(commands)
      asked.push({ commands, isAccepted: applied._tag === "Success" })
      return applied
    }
    this.#asked.set(book, asked)
    return { ...loaded, book }
  }

  #commit({ group: { settled } }: GroupRows): void {
    const { book } = settled
    for (const id of book.changedAccounts) this.accounts.set(id, book.account(id))
    const at = this.#options.clock.elapsed
    for (const { key, recorded } of settled.answers) {
      this.answers.set(key, { seq: recorded.seq, stream: recorded.stream, hash: recorded.hash, at })
    }
    if (at >= this.#forgetsAt) this.#forget(at)
    this.#commits += 1
    this.#options.onCommit?.({ settled, asked: this.#asked.get(book) ?? [] })
    this.#options.planted?.committed?.(this, this.#commits)
  }

  /** Gives up the answers that nobody asks for any more. */
  #forget(now: number): void {
    this.#forgetsAt = now + FORGET_MILLIS
    for (const [key, { at }] of this.answers) {
      if (at > now - CLIENT_PATIENCE) break
      this.answers.delete(key)
    }
  }
}

/** A database that tells at once what is done in it. */
class ToldDatabase extends MemoryDatabase {
  override readonly tables = new HistoryTables()
  readonly #committed: (group: GroupRows) => void
  readonly #projected: (events: ReadonlyArray<KeptEvent>) => void

  constructor(committed: (group: GroupRows) => void, projected: (events: ReadonlyArray<KeptEvent>) => void) {
    super()
    this.#committed = committed
    this.#projected = projected
  }

  override project(groups: ReadonlyArray<AppendedGroup>, from: number, to: JournalEnd, term: bigint): void {
    super.project(groups, from, to, term)
    for (const { settled } of groups) this.#projected(settled.recorded)
  }

  override append(group: GroupRows, hash: Uint8Array, term: bigint): void {
    super.append(group, hash, term)
    this.#committed(group)
  }
}

const noop = (): void => {}
