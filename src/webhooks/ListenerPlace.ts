import { Latch } from "effect"

/** Places of the journal to be looked through: after one, up to and with another. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

/** A listener's place in the journal, and where there may be something for it. */
export class ListenerPlace {
  /** Open while there is something to look through. */
  readonly news = Latch.makeUnsafe(false)
  #seq = 0
  /** Everything up to here has to be looked through. */
  #goal = 0
  /** The last place that it was told of. */
  #head = 0
  /** The first place beyond the goal that may be for it. */
  #first: number | undefined

  /** Begins after a place, or at the given end of the journal. */
  begin(after: number | undefined, head: number): void {
    this.#head = Math.max(this.#head, head)
    this.#goal = this.#head
    this.#first = undefined
    this.reached(after === undefined ? this.#head : Math.min(after, this.#head))
  }

  /** Takes the journal's new end, and the first of the new places that may be for it. */
  told(first: number | undefined, head: number): void {
    this.#head = head
    if (first === undefined) return
    this.#first ??= first
    this.news.openUnsafe()
  }

  /** What to look through next; nothing if there is certainly nothing for it. */
  next(): Span {
    const upTo = this.#head
    const after = this.#seq < this.#goal ? this.#seq : Math.max(this.#seq, (this.#first ?? upTo + 1) - 1)
    this.#goal = upTo
    this.#first = undefined
    this.reached(after)
    return { after, upTo }
  }

  /** Notes that it was looked through up to a place. */
  reached(seq: number): void {
    this.#seq = seq
    if (seq < this.#goal || this.#first !== undefined) this.news.openUnsafe()
    else this.news.closeUnsafe()
  }
}
