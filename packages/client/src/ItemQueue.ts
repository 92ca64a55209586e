/** A bounded queue that one reader empties, waiting where there is nothing. */
export class ItemQueue<A> implements AsyncIterableIterator<A, undefined> {
  readonly #limit: number
  readonly #drained: () => void
  readonly #left: () => void
  #items: Array<A> = []
  #next = 0
  #waiting: PromiseWithResolvers<IteratorResult<A, undefined>> | undefined
  #end: { readonly failure: Error | undefined } | undefined

  /** `drained` is told whenever half of the room is free again, `left` when the reader stops. */
  constructor(limit: number, drained: () => void, left: () => void) {
    this.#limit = limit
    this.#drained = drained
    this.#left = left
  }

  get size(): number {
    return this.#items.length - this.#next
  }

  get isFull(): boolean {
    return this.size >= this.#limit
  }

  /** Whether a reader waits for the next item. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  push(item: A): void {
    if (this.#end !== undefined) return
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#items.push(item)
    else waiting.resolve({ done: false, value: item })
  }

  /** What waits may still be read; then the reader's loop ends, or fails. */
  end(failure: Error | undefined): void {
    if (this.#end !== undefined) return
    this.#end = { failure }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (failure === undefined) waiting?.resolve({ done: true, value: undefined })
    else waiting?.reject(failure)
  }

  next(): Promise<IteratorResult<A, undefined>> {
    if (this.size > 0) return Promise.resolve({ done: false, value: this.#shift() })
    if (this.#end?.failure !== undefined) return Promise.reject(this.#end.failure)
    if (this.#end !== undefined) return Promise.resolve({ done: true, value: undefined })
    if (this.#waiting !== undefined) return Promise.reject(new Error("One reader at a time: await the item before."))
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  return(): Promise<IteratorResult<A, undefined>> {
    this.#items = []
    this.#next = 0
    this.#left()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #shift(): A {
    const item = this.#items[this.#next] as A
    this.#next += 1
    if (this.#next >= this.#limit / 2) {
      this.#items = this.#items.slice(this.#next)
      this.#next = 0
    }
    if (this.size === Math.floor(this.#limit / 2)) this.#drained()
    return item
  }
}
