import type { AnswerKey, ChainedEvent } from "../actor/CommitGroup.ts"
import { type ChainHash, GENESIS, isSameHash } from "../actor/EventChain.ts"
import type { Recorded } from "../actor/Journal.ts"
import type { Report } from "./LedgerAudit.ts"
import { NameSet } from "./NameSet.ts"

interface Link {
  version: number
  hash: Uint8Array
}

/**
 * The journal seen from outside: one sequence and a version for each stream without gaps, every link computed again,
 * nothing committed twice under one key, and nothing told that is not there.
 */
export class ChainAudit {
  readonly #link: ChainHash
  readonly #report: Report
  readonly #ends = new Map<string, Link>()
  readonly #hashes = new HashList()
  readonly #keys = new NameSet()
  /** The sequence of the last event that the tables got. */
  #projected = 0

  constructor(link: ChainHash, report: Report) {
    this.#link = link
    this.#report = report
  }

  /** The sequence of the last event. */
  get lastSeq(): number {
    return this.#hashes.length
  }

  commit(recorded: ReadonlyArray<ChainedEvent<object>>, answers: ReadonlyArray<AnswerKey<object>>): void {
    for (const event of recorded) this.#event(event)
    for (const { key } of answers) {
      if (!this.#keys.add(key)) this.#report("committed_twice", `${key} was committed before`)
    }
  }

  #event({ seq, stream, version, data, hashBytes }: ChainedEvent<object>): void {
    const end = this.#ends.get(stream) ?? { version: 0, hash: GENESIS }
    if (seq !== this.#hashes.length + 1) this.#report("sequence", `event ${seq} follows ${this.#hashes.length}`)
    if (version !== end.version + 1) this.#report("version", `${stream} goes from ${end.version} to ${version}`)
    const expected = this.#link(end.hash, data)
    if (!isSameHash(hashBytes, expected)) this.#report("chain", `event ${seq} of ${stream} does not continue its chain`)
    this.#ends.set(stream, { version, hash: expected })
    this.#hashes.push(expected)
  }

  /** Somebody was told of an event. */
  acknowledged({ seq, stream, hash }: Pick<Recorded<object>, "seq" | "stream" | "hash">): void {
    if (!this.#hashes.isAt(seq - 1, hash)) {
      this.#report("acknowledged", `event ${seq} of ${stream} was told, and is not recorded`)
    }
  }

  /** Somebody was told that nothing was committed under a key. */
  refused(key: string): void {
    if (this.#keys.has(key)) this.#report("refused", `${key} was refused, and is recorded`)
  }

  /** The tables got events: they must be those that were seen, in their order. */
  projected(events: ReadonlyArray<Pick<Recorded<object>, "seq" | "hash">>): void {
    for (const { hash, seq } of events) {
      this.#projected += 1
      if (seq !== this.#projected || !this.#hashes.isAt(seq - 1, hash)) {
        this.#report("sequence", `event ${this.#projected} is not what was recorded`)
      }
    }
  }

  /**
   * At the end the tables must have had all that was seen, and the journal's own events, but for those that it gave up,
   * must still be what was seen.
   */
  end(events: ReadonlyArray<{ readonly seq: number; readonly hash: string }>): void {
    if (this.#projected !== this.lastSeq || events.length !== this.lastSeq) {
      this.#report("sequence", `${Math.min(this.#projected, events.length)} events are left of ${this.lastSeq}`)
    }
    const wrong = events.findIndex(
      ({ hash, seq }, index) => seq !== 0 && (seq !== index + 1 || !this.#hashes.isAt(index, hash))
    )
    if (wrong >= 0) this.#report("sequence", `event ${wrong + 1} is not what was recorded`)
  }
}

const HASH_BYTES = 32

/** The UTF-16 code units of the digits. */
const DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0))

/** Hashes one behind the other, for there are as many as events. */
class HashList {
  #bytes = new Uint8Array(HASH_BYTES * 1_024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(hash: Uint8Array): void {
    const start = HASH_BYTES * this.#length
    if (start === this.#bytes.length) {
      const grown = new Uint8Array(2 * start)
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes.set(hash, start)
    this.#length += 1
  }

  /** Whether this is, in lower-case hex, the hash of an index. */
  isAt(index: number, hex: string): boolean {
    if (index < 0 || index >= this.#length || hex.length !== 2 * HASH_BYTES) return false
    const start = HASH_BYTES * index
    for (let at = 0; at < HASH_BYTES; at++) {
      const byte = this.#bytes[start + at] ?? 0
      if (hex.charCodeAt(2 * at) !== DIGITS[byte >> 4] || hex.charCodeAt(2 * at + 1) !== DIGITS[byte & 15]) return false
    }
    return true
  }
}
