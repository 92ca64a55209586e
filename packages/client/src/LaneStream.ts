import { ApiError, isPassing, NoAnswer } from "./ApiError.ts"
import { ItemQueue } from "./ItemQueue.ts"
import type { LaneConnection, LaneRequest } from "./LaneConnection.ts"

/** What a stream asks for, and what it makes of the answers. */
export interface LaneStreamOptions<A> {
  readonly tag: string
  /** Asked for whenever the stream begins or goes on. */
  readonly payload: () => unknown
  /** The items in a piece; undefined where something is missing, so that the stream is asked for again. */
  readonly read: (value: unknown) => ReadonlyArray<A> | undefined
}

/** Items that are kept together; a piece has fewer. */
const ROOM = 1_024

/**
 * A stream of the fast lane at its reader's own pace: the next piece is asked for when the one before was read. After a
 * lost connection it goes on by itself. It begins when it is read.
 */
export class LaneStream<A> implements AsyncIterableIterator<A, undefined> {
  readonly #connection: LaneConnection
  readonly #options: LaneStreamOptions<A>
  readonly #request: LaneRequest
  readonly #queue: ItemQueue<A>
  #isAsked = false
  /** Whether a piece was read that the server waits to hear of. */
  #isOwed = false

  constructor(connection: LaneConnection, options: LaneStreamOptions<A>) {
    this.#connection = connection
    this.#options = options
    this.#queue = new ItemQueue<A>(
      ROOM,
      () => {},
      () => this.#leave()
    )
    this.#request = {
      tag: options.tag,
      payload: options.payload,
      onChunk: (values) => this.#take(values),
      onSuccess: () => this.#queue.end(undefined),
      onFailure: (error) => this.#fail(error),
      onLost: () => {
        this.#isOwed = false
        return true
      }
    }
  }

  next(): Promise<IteratorResult<A, undefined>> {
    if (!this.#isAsked) {
      this.#isAsked = true
      this.#connection.ask(this.#request)
    }
    const next = this.#queue.next()
    this.#acknowledge()
    return next
  }

  return(): Promise<IteratorResult<A, undefined>> {
    return this.#queue.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #leave(): void {
    this.#isAsked = true
    this.#connection.cancel(this.#request)
    this.#queue.end(undefined)
  }

  /** A client that is closed ends its streams; a refusal that passes is waited for. */
  #fail(error: Error): void {
    this.#isOwed = false
    if (error instanceof ApiError && isPassing(error)) return this.#connection.askLater(this.#request, error.retryAfter)
    this.#queue.end(error instanceof NoAnswer && error.code === "closed" ? undefined : error)
  }

  #take(values: ReadonlyArray<unknown>): void {
    this.#isOwed = true
    for (const value of values) {
      const items = this.#options.read(value)
      if (items === undefined) return this.#again()
      for (const item of items) this.#queue.push(item)
    }
    this.#acknowledge()
  }

  /** The reader waits, or will at once. */
  #acknowledge(): void {
    if (!this.#isOwed || !this.#queue.isWaiting) return
    this.#isOwed = false
    this.#connection.acknowledge(this.#request)
  }

  #again(): void {
    this.#isOwed = false
    this.#connection.cancel(this.#request)
    this.#connection.ask(this.#request)
  }
}
