import type { AnswerKey, ChainedEvent } from "../actor/CommitGroup.ts"
import { type ChainHash, toHex } from "../actor/EventChain.ts"
import type { Recorded } from "../actor/Journal.ts"
import type { Report } from "./LedgerAudit.ts"

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
  /** In hex, by sequence from 1 on. */
  readonly #hashes: Array<string> = []
  readonly #keys = new Set<string>()

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
      if (this.#keys.has(key)) this.#report("committed_twice", `${key} was committed before`)
      this.#keys.add(key)
    }
  }

  #event({ seq, stream, version, data, hashBytes }: ChainedEvent<object>): void {
    const end = this.#ends.get(stream) ?? { version: 0, hash: new Uint8Array(32) }
    if (seq !== this.#hashes.length + 1) this.#report("sequence", `event ${seq} follows ${this.#hashes.length}`)
    if (version !== end.version + 1) this.#report("version", `${stream} goes from ${end.version} to ${version}`)
    const expected = this.#link(end.hash, data)
    const hex = toHex(expected)
    if (toHex(hashBytes) !== hex) this.#report("chain", `event ${seq} of ${stream} does not continue its chain`)
    this.#ends.set(stream, { version, hash: expected })
    this.#hashes.push(hex)
  }

  #hash(seq: number): string | undefined {
    return this.#hashes[seq - 1]
  }

  /** Somebody was told of an event. */
  acknowledged({ seq, stream, hash }: Pick<Recorded<object>, "seq" | "stream" | "hash">): void {
    if (this.#hash(seq) !== hash) {
      this.#report("acknowledged", `event ${seq} of ${stream} was told, and is not recorded`)
    }
  }

  /** Somebody was told that nothing was committed under a key. */
  refused(key: string): void {
    if (this.#keys.has(key)) this.#report("refused", `${key} was refused, and is recorded`)
  }

  /** The journal's own events at the end must be those that were seen. */
  end(events: ReadonlyArray<{ readonly seq: number; readonly hash: string }>): void {
    if (events.length !== this.#hashes.length) {
      this.#report("sequence", `${events.length} events are left of ${this.#hashes.length}`)
    }
    const wrong = events.findIndex(({ seq, hash }, index) => seq !== index + 1 || hash !== this.#hash(index + 1))
    if (wrong >= 0) this.#report("sequence", `event ${wrong + 1} is not what was recorded`)
  }
}
