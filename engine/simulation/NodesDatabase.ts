import type { ChainHash } from "../actor/EventChain.ts"
import type { AppendedGroup } from "../journal/AppendedGroup.ts"
import type { JournalEnd, JournalRow } from "../journal/JournalRow.ts"
import { FoldedDatabase, LEDGER_TABLES } from "./FoldedDatabase.ts"
import { Untrue } from "./MemoryDatabase.ts"
import type { StoredKey } from "./MemoryTables.ts"

/** Hears at once of what is done in the database. */
export interface DatabaseListener {
  /** A row is about to be appended. */
  readonly appending: (row: JournalRow, database: NodesDatabase) => void
  /** A process took the term. */
  readonly taken: (holder: number, database: NodesDatabase) => void
  readonly projected: (database: NodesDatabase) => void
}

/** The one database of several nodes. */
export class NodesDatabase extends FoldedDatabase {
  /** The process that takes requests; 0 where none does under the last term. */
  serving = 0
  readonly #listener: DatabaseListener

  constructor(link: ChainHash, listener: DatabaseListener) {
    super(link, LEDGER_TABLES)
    this.#listener = listener
  }

  override insert(rows: ReadonlyArray<JournalRow>): void {
    for (const row of rows) {
      this.#listener.appending(row, this)
      super.insert([row])
    }
  }

  override take(holder: number): bigint {
    // Who takes a higher term again goes on to take requests.
    if (holder !== this.holder) this.serving = 0
    const term = super.take(holder)
    this.#listener.taken(holder, this)
    return term
  }

  /** Says to the other nodes that a process takes requests from now on. */
  serve(holder: number): void {
    if (this.holder === holder) this.serving = holder
  }

  /** Keeps an answer beside the journal under the last term, unless one is there. */
  keep(key: string, kept: StoredKey, term: bigint): void {
    if (term !== this.term) throw new Untrue()
    if (this.tables.kept(key) === undefined) this.tables.refusals.set(key, kept)
  }

  override project(groups: ReadonlyArray<AppendedGroup>, from: number, to: JournalEnd, term: bigint): void {
    super.project(groups, from, to, term)
    this.#listener.projected(this)
  }
}
