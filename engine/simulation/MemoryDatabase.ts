import { GENESIS, isSameHash } from "../actor/EventChain.ts"
import type { AppendedGroup, GroupRows } from "../journal/AppendedGroup.ts"
import { endOf, type JournalEnd, type JournalRow } from "../journal/JournalRow.ts"
import { MemoryTables } from "./MemoryTables.ts"

/** A condition that is not so. */
export class Untrue extends Error {}

/** The journal, the tables that follow it and the term, as PostgreSQL keeps them: what is done is done in one step. */
export class MemoryDatabase {
  readonly journal: Array<JournalRow> = []
  tables: MemoryTables = new MemoryTables()
  term = 0n
  /** The server that took the last term. */
  holder = 0
  #end: JournalEnd = { seq: 0, hash: GENESIS, recordedAt: 0 }
  /** Statements that hold the term: who takes it waits for them. */
  readonly #begun: Array<() => void> = []

  /** Where the journal ends. */
  get end(): JournalEnd {
    return this.#end
  }

  /** Appends a group behind the one that has this hash, under the last term. */
  append({ rows }: GroupRows, hash: Uint8Array, term: bigint): void {
    if (term !== this.term || !isSameHash(hash, this.end.hash)) throw new Untrue()
    this.insert(rows)
  }

  insert(rows: ReadonlyArray<JournalRow>): void {
    for (const row of rows) {
      this.journal.push(row)
      this.#end = endOf(row)
    }
  }

  /** Leaves rows out from here on. */
  cut(count: number): void {
    this.journal.splice(count)
    const last = this.journal.at(-1)
    this.#end = last === undefined ? { seq: 0, hash: GENESIS, recordedAt: 0 } : endOf(last)
  }

  /** Forgets the rows up to an event, for which nobody looks any more. */
  prune(seq: number): void {
    const left = this.journal.findIndex(({ firstSeq }) => firstSeq > seq)
    this.journal.splice(0, left === -1 ? this.journal.length : left)
  }

  /** Writes groups and moves the tables from one end of the journal to another, under the last term. */
  project(groups: ReadonlyArray<AppendedGroup>, from: number, to: JournalEnd, term: bigint): void {
    this.advance(this.tables, from, to, term)
    this.tables.write(groups)
  }

  advance(tables: MemoryTables, from: number, to: JournalEnd, term: bigint): void {
    if (tables.seq !== from || this.term !== term || !this.isAppended(to)) throw new Untrue()
    tables.seq = to.seq
  }

  isAppended({ hash, seq }: JournalEnd): boolean {
    if (seq === this.#end.seq) return isSameHash(hash, this.#end.hash)
    const row = this.journal.findLast(({ firstSeq }) => firstSeq <= seq)
    return row !== undefined && isSameHash(row.hash, hash)
  }

  /** Does something later, unless the term is taken before: then before that. */
  begin(statement: () => void): () => void {
    this.#begun.push(statement)
    return () => {
      const index = this.#begun.indexOf(statement)
      if (index === -1) return
      this.#begun.splice(index, 1)
      statement()
    }
  }

  /** Takes the next term for a server. */
  take(holder: number): bigint {
    for (const statement of this.#begun.splice(0)) statement()
    this.term += 1n
    this.holder = holder
    return this.term
  }
}
