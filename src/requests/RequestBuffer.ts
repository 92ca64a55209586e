/** Requests that wait to be written, between two times at which they are. */
export const MAX_WAITING = 500

/** Of these, requests of one caller, who so cannot keep those of others out. */
export const MAX_OF_A_CALLER = 125

/** Requests that wait to be written. Beyond its bounds it takes none, and counts what it did not take. */
export class RequestBuffer<Noted> {
  #waiting: Array<Noted> = []
  #callers = new Map<string, number>()
  #dropped = 0

  /** Whether there is room for a request of a caller. Takes the room if so, and else counts it as dropped. */
  takeRoom(caller: string): boolean {
    const count = this.#callers.get(caller) ?? 0
    if (count >= MAX_OF_A_CALLER || this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1
      return false
    }
    this.#callers.set(caller, count + 1)
    return true
  }

  add(noted: Noted): void {
    this.#waiting.push(noted)
  }

  /** Everything that waits, and room anew for every caller. */
  take(): ReadonlyArray<Noted> {
    const taken = this.#waiting
    this.#waiting = []
    this.#callers = new Map()
    return taken
  }

  /** Puts back what could not be written, before what came since, as far as there is room. */
  restore(taken: ReadonlyArray<Noted>): void {
    const kept = [...taken, ...this.#waiting]
    this.#waiting = kept.slice(0, MAX_WAITING)
    this.drop(kept.length - this.#waiting.length)
  }

  /** Counts requests that are in no log. */
  drop(count: number): void {
    this.#dropped += count
  }

  /** How many were dropped since this was last asked. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }
}
