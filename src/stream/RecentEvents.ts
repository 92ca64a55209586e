import { lengthOf, type StreamEvent } from "./StreamEvent.ts"

/** Events kept for clients that catch up. */
export const MAX_RECENT_EVENTS = 1_024

/** Characters of their frames kept, unless a single event has more. */
export const MAX_RECENT_LENGTH = 4_194_304

/** The last events of a feed, without a gap. */
export class RecentEvents {
  #events: Array<StreamEvent> = []
  #length = 0
  /** The position before the first of them. */
  #from: number

  constructor(position: number) {
    this.#from = position
  }

  /** Adds the next event. */
  push(event: StreamEvent): void {
    this.#events.push(event)
    this.#length += lengthOf(event)
    const isFull = this.#events.length >= 2 * MAX_RECENT_EVENTS || this.#length > 2 * MAX_RECENT_LENGTH
    if (isFull) this.#trim()
  }

  /** Forgets all: the next event comes after the position. */
  restart(position: number): void {
    this.#events = []
    this.#length = 0
    this.#from = position
  }

  /** The events after a position; undefined if some of them are no longer here. */
  after(position: number): ReadonlyArray<StreamEvent> | undefined {
    if (position < this.#from) return undefined
    const start = this.#events.findLastIndex(({ seq }) => seq <= position)
    return this.#events.slice(start + 1)
  }

  #trim(): void {
    let count = this.#events.length
    let kept = 0
    let length = 0
    while (count > 0 && kept < MAX_RECENT_EVENTS) {
      const event = this.#events[count - 1]
      if (event === undefined) break
      length += lengthOf(event)
      if (kept > 0 && length > MAX_RECENT_LENGTH) break
      kept += 1
      count -= 1
    }
    const dropped = this.#events.splice(0, count)
    this.#from = dropped.at(-1)?.seq ?? this.#from
    this.#length = this.#events.reduce((sum, event) => sum + lengthOf(event), 0)
  }
}
