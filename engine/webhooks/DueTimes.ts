import { BinaryHeap } from "../collections/BinaryHeap.ts"

interface Due {
  readonly id: string
  readonly at: number
}

/** When each of many is due next, the earliest first. One that is due costs the logarithm of how many there are. */
export class DueTimes {
  readonly #times = new Map<string, number>()
  /** An entry counts only where it has the time that is known. */
  readonly #heap = new BinaryHeap<Due>((one, other) => one.at < other.at)

  /** How many are due at some time. */
  get size(): number {
    return this.#times.size
  }

  /** Says that one is due at a time, unless it is due earlier. True where that is the earliest of all. */
  enter(id: string, at: number): boolean {
    const known = this.#times.get(id)
    if (known !== undefined && known <= at) return false
    const before = this.next()
    this.#times.set(id, at)
    this.#heap.push({ id, at })
    return before === undefined || at < before
  }

  /** The earliest time that one is due at. */
  next(): number | undefined {
    for (;;) {
      const { first } = this.#heap
      if (first === undefined || this.#times.get(first.id) === first.at) return first?.at
      this.#heap.pop()
    }
  }

  /** Takes those that are due, the earliest first. */
  take(now: number): ReadonlyArray<string> {
    const due: Array<string> = []
    for (let next = this.next(); next !== undefined && next <= now; next = this.next()) {
      const first = this.#heap.pop()
      if (first === undefined) break
      this.#times.delete(first.id)
      due.push(first.id)
    }
    return due
  }
}
