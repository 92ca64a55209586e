import type { ChainHash } from "../actor/EventChain.ts"
import type { AppendedGroup } from "../journal/AppendedGroup.ts"
import type { JournalEnd, JournalRow } from "../journal/JournalRow.ts"
import { type FoldedTables, JournalFold } from "./JournalFold.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { MemoryTables } from "./MemoryTables.ts"

/** What a projection writes into the tables. */
export type ProjectGroups<T> = (tables: T, groups: ReadonlyArray<AppendedGroup>) => void

/** The tables of the ledger and of the events, and no context's. */
export const LEDGER_TABLES: FoldedTables & { readonly project: ProjectGroups<MemoryTables> } = {
  make: (from) => new MemoryTables(from),
  event: () => {},
  project: (tables, groups) => tables.write(groups)
}

/** A database whose journal is folded by itself, naively, to compare the tables with it. */
export class FoldedDatabase<T extends MemoryTables = MemoryTables> extends MemoryDatabase {
  override tables: T
  /** What the whole journal leaves. */
  head: JournalFold<T>
  /** What it leaves as far as the tables have it. */
  #projected: JournalFold<T>
  #projectedRows = 0
  readonly #kind: FoldedTables<T> & { readonly project: ProjectGroups<T> }
  readonly #link: ChainHash

  constructor(link: ChainHash, kind: FoldedTables<T> & { readonly project: ProjectGroups<T> }) {
    super()
    this.#link = link
    this.#kind = kind
    this.tables = kind.make()
    this.head = new JournalFold(link, kind)
    this.#projected = new JournalFold(link, kind)
  }

  override insert(rows: ReadonlyArray<JournalRow>): void {
    super.insert(rows)
    for (const row of rows) this.head.take(row)
  }

  /** The tables as all these steps leave them, unless one of them fails. */
  transact(steps: (tables: T) => void): void {
    const tables = this.#kind.make(this.tables)
    steps(tables)
    this.tables = tables
  }

  override project(groups: ReadonlyArray<AppendedGroup>, from: number, to: JournalEnd, term: bigint): void {
    this.transact((tables) => {
      this.advance(tables, from, to, term)
      this.#kind.project(tables, groups)
    })
  }

  /** Goes back to a copy that lacks the last rows, and in the tables what came of them. */
  revert(rows: number): void {
    this.cut(Math.max(0, this.journal.length - rows))
    this.head = new JournalFold(this.#link, this.#kind)
    for (const row of this.journal) this.head.take(row)
    if (this.tables.seq <= this.end.seq) return
    this.tables = this.#kind.make(this.head.tables)
    this.#projected = new JournalFold(this.#link, this.#kind)
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
