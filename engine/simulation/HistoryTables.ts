import { KEY_RETENTION } from "../journal/KeyFilter.ts"
import type { KeyedAnswer } from "../journal/JournalRow.ts"
import type { HoldRecord, Posting, Receivable } from "../ledger/Book.ts"
import { type KeptEvent, MemoryTables, Rejected } from "./MemoryTables.ts"
import { NameSet } from "./NameSet.ts"

/** What stands in the place of an event that nobody reads any more. */
const FORGOTTEN: KeptEvent = { seq: 0, stream: "", version: 0, data: "", hash: "" }

/**
 * The tables of a world that goes on for millions of events. Of what is written once and never read they keep the name
 * alone, by which they refuse it the next time; the rest goes when it is retired.
 */
export class HistoryTables extends MemoryTables {
  readonly #transfers = new NameSet()
  readonly #receivables = new NameSet()
  readonly #retiredHolds = new NameSet()

  /**
   * Gives up a stream that ended with this version, and what was held for it, and answers the latter; undefined, and
   * nothing of it, while anything is still to come.
   */
  retire(
    stream: string,
    version: number,
    holds: ReadonlyArray<ReadonlyArray<string>>
  ): ReadonlyArray<ReadonlyArray<HoldRecord>> | undefined {
    if (this.heads.get(stream)?.version !== version) return undefined
    const placed: Array<Array<HoldRecord>> = []
    for (const ids of holds) {
      const some: Array<HoldRecord> = []
      for (const id of ids) {
        const hold = this.holds.get(id)
        if (hold === undefined) continue
        if (hold.resolvedBy === undefined) return undefined
        some.push(hold.value)
      }
      placed.push(some)
    }
    for (const { seq } of this.stream(stream)) this.events[seq - 1] = FORGOTTEN
    this.forgetStream(stream)
    for (const some of placed) {
      for (const { id } of some) {
        this.holds.delete(id)
        this.#retiredHolds.add(id)
      }
    }
    return placed
  }

  /** An answer goes once it would not be given any more. */
  override keep(answer: KeyedAnswer, at: number): void {
    super.keep(answer, at)
    for (const [key, kept] of this.keys) {
      if (kept.at > at - KEY_RETENTION) break
      this.keys.delete(key)
    }
  }

  protected override addTransfer({ id }: Posting): void {
    if (!this.#transfers.add(id)) throw new Rejected(`ledger_transfers has ${id} already`)
  }

  protected override addReceivable({ id }: Receivable): void {
    if (!this.#receivables.add(id)) throw new Rejected(`ledger_receivables has ${id} already`)
  }

  protected override wasHeld(id: string): boolean {
    return this.#retiredHolds.has(id)
  }
}
