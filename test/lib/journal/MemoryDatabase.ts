import { GENESIS, toHex } from "../../../engine/actor/EventChain.ts"
import type { JournalEnd, JournalRow } from "../../../engine/journal/JournalRow.ts"
import { endOf } from "../../../engine/journal/JournalRow.ts"
import { JournalFold } from "./JournalFold.ts"
import { MemoryTables, Untrue } from "./MemoryTables.ts"

/** The journal, the tables and the term, as PostgreSQL keeps them: each step is done as a whole or not at all. */
export class MemoryDatabase {
  readonly journal: Array<JournalRow> = []
  tables = new MemoryTables()
  term = 0n
  holder = 0
  /** What the whole journal leaves. */
  head = new JournalFold()
  /** What it leaves as far as the tables have it. */
  #projected = new JournalFold()
  #projectedRows = 0
  /** Statements that hold the term: who takes it waits for them. */
  readonly #begun: Array<() => void> = []

  get end(): JournalEnd {
    const last = this.journal.at(-1)
    return last === undefined ? { seq: 0, hash: GENESIS, recordedAt: 0 } : endOf(last)
  }

  append(rows: ReadonlyArray<JournalRow>, hash: Uint8Array, term: bigint): void {
    if (term !== this.term || toHex(hash) !== toHex(this.end.hash)) throw new Untrue()
    this.insert(rows)
  }

  insert(rows: ReadonlyArray<JournalRow>): void {
    for (const row of rows) {
      this.journal.push(row)
      this.head.take(row)
    }
  }

  /** The tables as all these steps leave them, unless one of them fails. */
  transact(steps: (tables: MemoryTables) => void): void {
    const tables = this.tables.copy()
    steps(tables)
    this.tables = tables
  }

  advance(tables: MemoryTables, from: number, to: JournalEnd, term: bigint): void {
    if (tables.seq !== from || this.term !== term || !this.isAppended(to)) throw new Untrue()
    tables.seq = to.seq
  }

  isAppended({ hash, seq }: JournalEnd): boolean {
    const row = this.journal.findLast(({ firstSeq }) => firstSeq <= seq)
    return row !== undefined && toHex(row.hash) === toHex(hash)
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

  take(holder: number): bigint {
    for (const statement of this.#begun.splice(0)) statement()
    this.term += 1n
    this.holder = holder
    return this.term
  }

  /** Goes back to a copy that lacks the last rows, and in the tables what came of them. */
  revert(rows: number): void {
    this.journal.splice(Math.max(0, this.journal.length - rows))
    this.head = new JournalFold()
    for (const row of this.journal) this.head.take(row)
    if (this.tables.seq <= this.end.seq) return
    this.tables = this.head.tables.copy()
    this.#projected = new JournalFold()
    this.#projectedRows = 0
  }

  /** What is wrong with the tables, or nothing. */
  problem(): string | undefined {
    const { seq } = this.tables
    if (seq > this.end.seq) return `the tables stand at ${seq}, behind the journal's end ${this.end.seq}`
    for (let row = this.journal[this.#projectedRows]; row !== undefined; row = this.journal[this.#projectedRows]) {
      if (row.firstSeq > seq) break
      this.#projected.take(row)
      this.#projectedRows += 1
    }
    if (this.#projected.tables.seq !== seq) return `the tables stand at ${seq}, within a row or before another`
    const [found, expected] = [this.tables.text(), this.#projected.tables.text()]
    return found === expected
      ? undefined
      : `at ${seq} the tables are not what the journal leaves: ${diff(found, expected)}`
  }
}

/** The first line that differs. */
const diff = (found: string, expected: string): string => {
  const [one, other] = [found.split("\n"), expected.split("\n")]
  const at = other.findIndex((line, index) => line !== one[index])
  return `${one[at === -1 ? other.length : at] ?? "nothing"} instead of ${other[at] ?? "nothing"}`
}
