import type { JournalRow } from "./JournalRow.ts"

/** Rows that were sent, until they are known to stand in the journal. */
export class UnconfirmedRows {
  #rows: ReadonlyArray<JournalRow> = []

  /** Rows were sent behind those before them. What was sent in their place before is not in the journal. */
  sent(rows: ReadonlyArray<JournalRow>): void {
    const [first] = rows
    if (first !== undefined) this.#rows = [...this.#rows.filter(({ firstSeq }) => firstSeq < first.firstSeq), ...rows]
  }

  /** The journal has all up to this event; answers the rows that are known since. */
  confirm(seq: number): ReadonlyArray<JournalRow> {
    const isBehind = ({ firstSeq }: JournalRow) => firstSeq > seq
    const confirmed = this.#rows.filter((row) => !isBehind(row))
    this.#rows = this.#rows.filter(isBehind)
    return confirmed
  }
}
