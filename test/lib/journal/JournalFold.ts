import { GENESIS, toHex } from "../../../engine/actor/EventChain.ts"
import { LedgerTrace } from "../../../engine/actor/CommitGroup.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { KEY_RETENTION } from "../../../engine/journal/KeyFilter.ts"
import type { JournalRow } from "../../../engine/journal/JournalRow.ts"
import { ensure, merged, type TableRow } from "../../../engine/journal/TableRow.ts"
import { fundRow } from "../../../engine/replay/FundOpening.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { type RecordedGroup, recordedGroup } from "../../../engine/journal/JournalRecovery.ts"
import { link } from "../../../src/database/ChainLink.ts"
import type { AppendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import type { Placed } from "../../../engine/simulation/MemoryTables.ts"
import { RowTables } from "./RowTables.ts"

/** What an event makes of a context's table: the fund keeps its first owner. */
export const fundRows = (event: PlatformEvent): ReadonlyArray<TableRow> =>
  event._tag === "FundsMinted" ? [ensure(fundRow(event.fundId, event.owner, event.asset, event.at))] : []

/** What the events of groups make of it. */
export const fundsOf = (groups: ReadonlyArray<AppendedGroup>): Iterable<TableRow> =>
  merged(groups.flatMap(({ settled }) => settled.recorded.flatMap(({ event }) => fundRows(event))))

/**
 * What the journal's rows leave when each entry is taken by itself, one after the other, by whoever remembers
 * everything. Throws where an entry cannot have been accepted.
 */
export class JournalFold {
  readonly tables = new RowTables()
  /** The hash of each event. */
  readonly hashes: Array<string> = []

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
    const head = { version: version + 1, hash: link(hash, text) }
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
    this.tables.apply(fundRows(entry.event))
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
