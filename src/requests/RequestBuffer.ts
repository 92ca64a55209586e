/** Requests that wait to be written, between two times at which they are. */
export const MAX_WAITING = 500

/** Of these, requests of one caller, who so cannot keep those of others out. */
export const MAX_OF_A_CALLER = 125

const MINUTE = 60_000

/** Callers of a minute whose first refusal by a rate limit is told; of the others none is. */
const MAX_LIMITED = 10_000

/** Requests that wait to be written. Beyond its bounds it takes none, and counts what it did not take. */
export class RequestBuffer<Noted extends { readonly caller: string }> {
  #waiting: Array<Noted> = []
  #callers = new Map<string, number>()
  #dropped = 0
  #minute = 0
  #limited = new Set<string>()

  /** Whether a refusal by a rate limit is the caller's first of a minute: those who may do nothing more fill no log. */
  isFirstLimited(caller: string, now: number): boolean {
    const minute = Math.floor(now / MINUTE)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#limited = new Set()
    }
    if (this.#limited.has(caller) || this.#limited.size >= MAX_LIMITED) return false
    this.#limited.add(caller)
    return true
  }

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

  /** Puts back what could not be written, before what came since, as far as there is room. It counts for its callers. */
  restore(taken: ReadonlyArray<Noted>): void {
    const kept = [...taken, ...this.#waiting]
    this.#waiting = kept.slice(0, MAX_WAITING)
    this.drop(kept.length - this.#waiting.length)
    for (const { caller } of taken) this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1)
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
