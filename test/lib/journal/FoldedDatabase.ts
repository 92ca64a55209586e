import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import type { JournalEnd, JournalRow } from "../../../engine/journal/JournalRow.ts"
import type { AppendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import { fundsOf, JournalFold } from "./JournalFold.ts"
import { RowTables } from "./RowTables.ts"

/** A database whose journal is folded by itself, naively, to compare the tables with it. */
export class FoldedDatabase extends MemoryDatabase {
  override tables = new RowTables()
  /** What the whole journal leaves. */
  head = new JournalFold()
  /** What it leaves as far as the tables have it. */
  #projected = new JournalFold()
  #projectedRows = 0

  override insert(rows: ReadonlyArray<JournalRow>): void {
    super.insert(rows)
    for (const row of rows) this.head.take(row)
  }

  /** The tables as all these steps leave them, unless one of them fails. */
  transact(steps: (tables: RowTables) => void): void {
    const tables = new RowTables(this.tables)
    steps(tables)
    this.tables = tables
  }

  override project(groups: ReadonlyArray<AppendedGroup>, from: number, to: JournalEnd, term: bigint): void {
    this.transact((tables) => {
      this.advance(tables, from, to, term)
      tables.project(groups, fundsOf)
    })
  }

  /** Goes back to a copy that lacks the last rows, and in the tables what came of them. */
  revert(rows: number): void {
    this.cut(Math.max(0, this.journal.length - rows))
    this.head = new JournalFold()
    for (const row of this.journal) this.head.take(row)
    if (this.tables.seq <= this.end.seq) return
    this.tables = new RowTables(this.head.tables)
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
