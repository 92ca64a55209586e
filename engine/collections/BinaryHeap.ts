/** A binary heap: the first of many by an order of one's own, at the cost of the logarithm of how many there are. */
export class BinaryHeap<A> {
  readonly #items: Array<A> = []
  readonly #precedes: (one: A, other: A) => boolean

  /** @param precedes - whether one has to come out before another; of two where neither has to, any may */
  constructor(precedes: (one: A, other: A) => boolean) {
    this.#precedes = precedes
  }

  /** The next one to come out, which stays. */
  get first(): A | undefined {
    return this.#items[0]
  }

  /** How many are in. */
  get size(): number {
    return this.#items.length
  }

  /** Puts one in. */
  push(item: A): void {
    const items = this.#items
    let index = items.length
    items.push(item)
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = items[above]
      if (parent === undefined || !this.#precedes(item, parent)) break
      items[index] = parent
      index = above
    }
    items[index] = item
  }

  /** Takes the next one out. */
  pop(): A | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (first === undefined || last === undefined || items.length === 0) return first
    let index = 0
    for (;;) {
      const child = this.#firstChild(index)
      const below = items[child]
      if (below === undefined || !this.#precedes(below, last)) break
      items[index] = below
      index = child
    }
    items[index] = last
    return first
  }

  #firstChild(index: number): number {
    const left = 2 * index + 1
    const [one, other] = [this.#items[left], this.#items[left + 1]]
    return one !== undefined && other !== undefined && this.#precedes(other, one) ? left + 1 : left
  }
}
