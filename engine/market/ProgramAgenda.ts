import { BinaryHeap } from "../collections/BinaryHeap.ts"
import { timeText } from "../wire/WireValue.ts"
import type { MarketFrame } from "./MarketFrame.ts"
import type { Moment } from "./MarketReplay.ts"

/** The most moments, and the most times to be woken at, that may wait for a program. */
export const MAX_AGENDA = 10_000

/**
 * What a program is still to hear of while time passes, in the sequence in which a replay tells it: by time, and what
 * happened at a time before the waking at it. No moment is before one that was told.
 */
export class ProgramAgenda {
  readonly #wakings = new BinaryHeap<number>((one, other) => one < other)
  #moments: Array<Moment> = []
  #taken = 0
  #now = 0

  /** Takes what happened; false where too much waits. Moments come in the sequence of their times, or nearly so. */
  add(moment: Moment): boolean {
    if (this.#moments.length - this.#taken >= MAX_AGENDA) return false
    this.#moments.push(moment)
    return true
  }

  /** Takes a time to be woken at, which is now where it has passed; false where there are too many. */
  wake(at: number): boolean {
    if (this.#wakings.size >= MAX_AGENDA) return false
    this.#wakings.push(Math.max(at, this.#now))
    return true
  }

  /** When the program is to be woken next, in milliseconds since 1970. */
  get wakesAt(): number | undefined {
    return this.#wakings.first
  }

  /** The next moment at a time; undefined where there is none yet. */
  next(now: number): Moment | undefined {
    const moment = this.#moments[this.#taken]
    const waking = this.#wakings.first
    if (waking !== undefined && waking <= now && (moment === undefined || waking < moment.at))
      return this.#woken(waking)
    if (moment === undefined) return undefined
    this.#taken += 1
    if (this.#taken === this.#moments.length) {
      this.#moments = []
      this.#taken = 0
    }
    return this.#told(moment.at, moment.events)
  }

  #woken(at: number): Moment {
    const events: Array<MarketFrame> = []
    while (this.#wakings.first === at) {
      this.#wakings.pop()
      events.push({ type: "woken", data: {}, timestamp: timeText(at) })
    }
    return this.#told(at, events)
  }

  #told(at: number, events: ReadonlyArray<MarketFrame>): Moment {
    this.#now = Math.max(this.#now, at)
    return { at: this.#now, events }
  }
}
