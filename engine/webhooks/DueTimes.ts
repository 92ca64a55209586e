interface Due {
  readonly id: string
  readonly at: number
}

/** When each of many is due next, the earliest first. One that is due costs the logarithm of how many there are. */
export class DueTimes {
  readonly #times = new Map<string, number>()
  /** A binary heap. An entry counts only where it has the time that is known. */
  readonly #heap: Array<Due> = []

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
    push(this.#heap, { id, at })
    return before === undefined || at < before
  }

  /** The earliest time that one is due at. */
  next(): number | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || this.#times.get(first.id) === first.at) return first?.at
      pop(this.#heap)
    }
  }

  /** Takes those that are due, the earliest first. */
  take(now: number): ReadonlyArray<string> {
    const due: Array<string> = []
    for (let next = this.next(); next !== undefined && next <= now; next = this.next()) {
      const first = pop(this.#heap)
      if (first === undefined) break
      this.#times.delete(first.id)
      due.push(first.id)
    }
    return due
  }
}

const push = (heap: Array<Due>, due: Due): void => {
  let index = heap.length
  heap.push(due)
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || parent.at <= due.at) break
    heap[index] = parent
    index = above
  }
  heap[index] = due
}

const pop = (heap: Array<Due>): Due | undefined => {
  const first = heap[0]
  const last = heap.pop()
  if (first === undefined || last === undefined || heap.length === 0) return first
  let index = 0
  for (;;) {
    const child = earlierChild(heap, index)
    const below = heap[child]
    if (below === undefined || below.at >= last.at) break
    heap[index] = below
    index = child
  }
  heap[index] = last
  return first
}

const earlierChild = (heap: ReadonlyArray<Due>, index: number): number => {
  const left = 2 * index + 1
  const [one, other] = [heap[left], heap[left + 1]]
  return one !== undefined && other !== undefined && other.at < one.at ? left + 1 : left
}
