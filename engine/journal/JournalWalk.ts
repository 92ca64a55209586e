import { type ChainHash, GENESIS, toHex } from "../actor/EventChain.ts"
import { type Finding, findingAt, type StoredEvent } from "../replay/StoredEvent.ts"
import { digestOf, entriesOf, type JournalEntry, type JournalRow, rowHash } from "./JournalRow.ts"

/** An entry behind the last event. It becomes an event once the tables follow. */
export interface TailEntry extends JournalEntry {
  readonly seq: number
}

/** The beginning of a walk that does not begin with the first row. */
export interface WalkedBefore {
  /** The sequence of the last event. */
  readonly last: number
  /** The row that has it, or the last one before it, whose hash is taken as given; undefined if there is none. */
  readonly row: JournalRow | undefined
}

/**
 * Walks the journal beside the events that follow from it: each row's hash is that of its place, its answers and its
 * body behind the row before, the rows have no gap, terms and times never fall, and each entry is the event with its
 * sequence. Events before the first row are older than the journal; entries behind the last event are its tail, which
 * the tables do not have yet.
 */
export class JournalWalk {
  readonly #link: ChainHash
  #hash: Uint8Array = GENESIS
  #first: number | undefined
  #last: JournalRow | undefined
  /** The entries of rows that were not yet compared with events, with the sequence of the first. */
  #waiting: Array<JournalEntry> = []
  #next = 0
  /** The sequence of the event that was taken last. */
  #taken = 0

  constructor(link: ChainHash, before?: WalkedBefore) {
    this.#link = link
    if (before === undefined) return
    this.#taken = before.last
    if (before.row !== undefined) this.#continue(before.row, before.last)
  }

  /** Takes the next row. Returns what is wrong with it, or nothing. After a finding the walk is over. */
  take(row: JournalRow): Finding | undefined {
    const entries = entriesOf(row)
    const problem = entries === undefined ? "whose body does not have its entries" : this.#problem(row)
    if (entries === undefined || problem !== undefined) {
      return { seq: row.firstSeq, stream: "", version: 0, type: "", problem: `begins a row of the journal ${problem}` }
    }
    if (this.#waiting.length === 0) this.#next = row.firstSeq
    this.#waiting.push(...entries)
    this.#first ??= row.firstSeq
    this.#hash = row.hash
    this.#last = { ...row, body: "", answers: null }
    return undefined
  }

  /**
   * Takes the next event, after the rows that begin with it or before it. Returns how the journal differs, or nothing.
   */
  step(event: StoredEvent): Finding | undefined {
    this.#taken = event.seq
    if (this.#first === undefined || event.seq < this.#first) return undefined
    const entry = this.#waiting.shift()
    if (entry === undefined) return findingAt(event, "is not in the journal")
    if (event.seq !== this.#next) return findingAt(event, `stands where the journal has event ${this.#next}`)
    this.#next += 1
    return entry.stream === event.stream && entry.data === event.data
      ? undefined
      : findingAt(event, "is not what the journal has in its place")
  }

  /** The entries behind the last event. Call it once all events and rows were taken. */
  get tail(): ReadonlyArray<TailEntry> {
    return this.#waiting.map((entry, index) => ({ ...entry, seq: this.#next + index }))
  }

  /** What is wrong with the beginning of the tail, or nothing. Call it once all events and rows were taken. */
  get finding(): Finding | undefined {
    const [entry] = this.#waiting
    const expected = this.#taken + 1
    if (entry === undefined || this.#next === expected) return undefined
    const problem = `begins the journal where event ${expected} is missing`
    return { seq: this.#next, stream: entry.stream, version: 0, type: "", problem }
  }

  #continue(row: JournalRow, last: number): void {
    this.#hash = row.hash
    this.#first = row.firstSeq
    this.#last = { ...row, body: "", answers: null }
    this.#next = last + 1
    this.#waiting = (entriesOf(row) ?? []).slice(this.#next - row.firstSeq)
  }

  #problem(row: JournalRow): string | undefined {
    const last = this.#last
    if (last !== undefined && row.firstSeq !== last.firstSeq + last.count) {
      return `where one from ${last.firstSeq + last.count} is expected`
    }
    if (last !== undefined && row.term < last.term) return `of term ${row.term}, behind one of term ${last.term}`
    if (last !== undefined && row.recordedAt < last.recordedAt) return "that is older than the one before it"
    if (row.answers !== null && toHex(digestOf(row.answers, this.#link)) !== toHex(row.answersDigest)) {
      return "whose answers were altered"
    }
    const hash = toHex(rowHash(this.#hash, row, this.#link))
    return hash === toHex(row.hash)
      ? undefined
      : `that was altered: it hashes to ${hash}, recorded is ${toHex(row.hash)}`
  }
}
