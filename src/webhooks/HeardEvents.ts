import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"

/** Events that are kept until they are told. Beyond that they are read from the journal. */
export const MAX_HEARD = 10_000

/** Events of the journal up to a place, without those that nobody needs. */
export interface Stretch {
  readonly events: ReadonlyArray<Recorded<PlatformEvent>>
  /** The place that they reach to. */
  readonly to: number
}

/** Keeps committed events until they are told, so that they need not be read. Commits pay nothing for it. */
export class HeardEvents {
  readonly #isNeeded: (event: PlatformEvent) => boolean
  /** All needed events after this place are kept; undefined before the first event. */
  #from: number | undefined
  #to = 0
  #kept: Array<Recorded<PlatformEvent>> = []

  constructor(isNeeded: (event: PlatformEvent) => boolean) {
    this.#isNeeded = isNeeded
  }

  /** Takes events as they are committed. True where one of them is needed. */
  hear(events: ReadonlyArray<Recorded<PlatformEvent>>): boolean {
    let isNew = false
    for (const recorded of events) {
      if (this.#from === undefined || recorded.seq !== this.#to + 1) this.#restart(recorded.seq - 1)
      this.#to = recorded.seq
      if (!this.#isNeeded(recorded.event)) continue
      if (this.#kept.length >= MAX_HEARD) this.#restart(recorded.seq - 1)
      this.#kept.push(recorded)
      this.#to = recorded.seq
      isNew = true
    }
    return isNew
  }

  /** The events after a place, so many at most; undefined where they have to be read. */
  after(position: number, limit: number): Stretch | undefined {
    if (this.#from === undefined || position < this.#from) return undefined
    const first = this.#kept.findIndex(({ seq }) => seq > position)
    this.#kept.splice(0, first === -1 ? this.#kept.length : first)
    this.#from = position
    const events = this.#kept.slice(0, limit)
    const isAll = events.length === this.#kept.length
    return { events, to: isAll ? Math.max(this.#to, position) : (events.at(-1)?.seq ?? position) }
  }

  #restart(from: number): void {
    this.#from = from
    this.#to = from
    this.#kept = []
  }
}
