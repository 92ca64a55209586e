import { Data, Result } from "effect"
import { type ChainHash, GENESIS, toHex } from "../actor/EventChain.ts"
import { type JournalRow, rowHash } from "./JournalRow.ts"

/** A row as a follower needs it. The answers are the writer's business, and the hash covers their digest. */
export type FollowedRow = Omit<JournalRow, "answers">

/** The journal does not go on from what a follower told: it is another one, or was altered. */
export class Diverged extends Data.TaggedError("Diverged")<{ readonly message: string }> {}

/** What a follower asks of the journal. */
export interface Reading {
  /** The rows that begin behind this sequence are read: the row that was told last is the first of them. */
  readonly after: number
  /** How far the journal was known to go when it was asked. */
  readonly head: number
  /** The row that was told last; undefined where none was. */
  readonly last: FollowedRow | undefined
}

const lastOf = ({ count, firstSeq }: FollowedRow): number => firstSeq + count - 1

const diverged = (seq: number): Result.Result<never, Diverged> =>
  Result.fail(
    new Diverged({ message: `The journal does not go on from event ${seq} as this node has told it: start it again.` })
  )

/**
 * Follows the journal from the rows that its writers push, and from reading it where rows are missing: each row counts
 * once, in order, and only where its hash is that of its place and its body behind the row before.
 *
 * What a writer pushes must stand in the journal. It may come late, twice, in any order or not at all, and from several
 * writers at once.
 */
export class JournalFollower {
  readonly #link: ChainHash
  #last: FollowedRow | undefined
  #seq: number
  #head: number

  /**
   * @param last - the row at whose end it begins; undefined where the journal has none
   * @param seq - the last event's sequence where it has none
   */
  constructor(link: ChainHash, last: FollowedRow | undefined, seq = 0) {
    this.#link = link
    this.#last = last === undefined ? undefined : { ...last, body: "" }
    this.#seq = last === undefined ? seq : lastOf(last)
    this.#head = this.#seq
  }

  /** The sequence of the last event that was told. */
  get seq(): number {
    return this.#seq
  }

  /** The sequence of the last event that it heard of. */
  get head(): number {
    return this.#head
  }

  /** Whether the journal is to be read: it heard of events that it does not have. */
  get isBehind(): boolean {
    return this.#head > this.#seq
  }

  /** The journal goes up to this event. */
  hear(seq: number): void {
    if (seq > this.#head) this.#head = seq
  }

  /** Takes a row that was pushed; answers whether it is the next one, to be told now. */
  take(row: FollowedRow): boolean {
    const isNext = this.#isNext(row)
    if (isNext) this.#advance(row)
    else this.hear(lastOf(row))
    return isNext
  }

  /** What is to be read now. */
  get reading(): Reading {
    return { after: (this.#last?.firstSeq ?? 1) - 1, head: this.#head, last: this.#last }
  }

  /**
   * Takes a page that was read, in order; answers the rows that are to be told now. Where none is behind the one that
   * was told last the journal ends there: what was heard of beyond it, until the page was asked for, is not in it.
   */
  read({ head, last }: Reading, page: ReadonlyArray<FollowedRow>): Result.Result<ReadonlyArray<FollowedRow>, Diverged> {
    const [first, ...behind] = page
    if (last !== undefined && (first?.firstSeq !== last.firstSeq || toHex(first.hash) !== toHex(last.hash))) {
      return diverged(lastOf(last))
    }
    const rows = last === undefined ? page : behind
    const told: Array<FollowedRow> = []
    for (const row of rows) {
      if (lastOf(row) <= this.#seq) continue
      if (!this.#isNext(row)) return diverged(this.#seq)
      this.#advance(row)
      told.push(row)
    }
    if (rows.length === 0 && this.#head === head) this.#head = this.#seq
    return Result.succeed(told)
  }

  #isNext(row: FollowedRow): boolean {
    if (row.firstSeq !== this.#seq + 1) return false
    return toHex(rowHash(this.#last?.hash ?? GENESIS, row, this.#link)) === toHex(row.hash)
  }

  #advance(row: FollowedRow): void {
    this.#last = { ...row, body: "" }
    this.#seq = lastOf(row)
    this.hear(this.#seq)
  }
}
