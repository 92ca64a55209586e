import { LedgerTrace } from "../actor/CommitGroup.ts"
import { type ChainHash, GENESIS, toHex } from "../actor/EventChain.ts"
import type { AppendedGroup } from "../journal/AppendedGroup.ts"
import { type RecordedGroup, recordedGroup } from "../journal/JournalRecovery.ts"
import type { JournalRow } from "../journal/JournalRow.ts"
import { KEY_RETENTION } from "../journal/KeyFilter.ts"
import { Book } from "../ledger/Book.ts"
import type { Command } from "../ledger/Command.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { MemoryTables, Placed } from "./MemoryTables.ts"

/** The tables that a fold fills, and what an event makes of those of a context. */
export interface FoldedTables<T extends MemoryTables = MemoryTables> {
  /** Empty ones, or a copy. */
  readonly make: (from?: T) => T
  readonly event: (tables: T, event: PlatformEvent) => void
}

/**
 * What the journal's rows leave when each entry is taken by itself, one after the other, by whoever remembers
 * everything. Throws where an entry cannot have been accepted.
 */
export class JournalFold<T extends MemoryTables = MemoryTables> {
  readonly tables: T
  /** The hash of each event. */
  readonly hashes: Array<string> = []
  readonly #link: ChainHash
  readonly #event: FoldedTables<T>["event"]

  constructor(link: ChainHash, { event, make }: FoldedTables<T>) {
    this.#link = link
    this.#event = event
    this.tables = make()
  }

  take(row: JournalRow): void {
    const recorded = recordedGroup(row)
    for (const [index, batch] of recorded.batches.entries()) this.#entry(row, recorded, batch, row.firstSeq + index)
  }

  #entry(row: JournalRow, { data }: RecordedGroup, batch: RecordedGroup["batches"][number], seq: number): void {
    const [entry] = batch.entries
    if (entry === undefined) throw new Error(`event ${seq} has no entry`)
    if (seq !== this.tables.seq + 1) throw new Error(`event ${seq} comes behind ${this.tables.seq}`)
    this.#commands(entry.commands, seq)
    const text = data.get(entry.event) ?? ""
    const { hash, version } = this.tables.heads.get(batch.stream) ?? { version: 0, hash: GENESIS }
    const head = { version: version + 1, hash: this.#link(hash, text) }
    this.tables.heads.set(batch.stream, head)
    this.tables.addEvent({ seq, stream: batch.stream, version: head.version, hash: toHex(head.hash), data: text })
    this.hashes[seq] = toHex(head.hash)
    for (const name of batch.claims ?? []) {
      if (this.tables.claims.has(name)) throw new Error(`${name} is claimed twice, at last by event ${seq}`)
      this.tables.claims.set(name, seq)
    }
    const { idempotency } = entry
    if (idempotency?.answer !== undefined) {
      const { answer, fingerprint, key } = idempotency
      const before = this.tables.keys.get(key)
      if (before !== undefined && before.at > row.recordedAt - KEY_RETENTION) {
        throw new Error(`${key} is executed twice, by events ${before.seq} and ${seq}`)
      }
      this.tables.keep({ key, fingerprint, seq, status: answer.status, body: answer.body }, row.recordedAt)
    }
    this.#event(this.tables, entry.event)
    this.tables.seq = seq
  }

  #commands(commands: ReadonlyArray<Command>, seq: number): void {
    const { accounts, multiHolds, holds } = this.tables
    const book = new Book(
      new Map(accounts),
      commands.flatMap((one) => ("hold" in one ? pending(holds.get(one.hold)) : [])),
      commands.flatMap((one) => ("multiHold" in one ? pending(multiHolds.get(one.multiHold)) : []))
    )
    const applied = book.apply(commands)
    if (applied._tag === "Failure") throw new Error(`the ledger refuses event ${seq}: ${String(applied.failure)}`)
    const trace = new LedgerTrace()
    trace.note(seq, commands, book)
    const group = {
      settled: { book, trace, heads: new Map(), recorded: [], claims: new Map() },
      answers: [],
      newAccounts: book.changedAccounts,
      end: { recordedAt: 0 }
    }
    this.tables.write([group as unknown as AppendedGroup])
  }
}

const pending = <T>(placed: Placed<T> | undefined): ReadonlyArray<T> =>
  placed === undefined || placed.resolvedBy !== undefined ? [] : [placed.value]
