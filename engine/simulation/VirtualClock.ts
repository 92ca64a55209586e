import { type Clock, Duration, Effect } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"

interface Timer {
  /** Milliseconds after the start. */
  readonly at: number
  /** Draws the order of timers of one moment. */
  readonly tie: number
  readonly number: number
  run: (() => void) | undefined
}

/**
 * A clock that moves only when it is told to. Its timers run in the order of their deadlines; those of one moment in an
 * order drawn from the seed, because no program may count on it.
 *
 * Time passes evenly underneath; what the clock shows can be set forward or back, as an operator or a time server does.
 */
export class VirtualClock implements Clock.Clock {
  readonly #timers: Array<Timer> = []
  readonly #random: SeededRandom
  readonly #startedAt: number
  #elapsed = 0
  #offset = 0
  #made = 0

  constructor(startedAt: number, random: SeededRandom) {
    this.#startedAt = startedAt
    this.#random = random
  }

  /** Milliseconds that have passed since the start. */
  get elapsed(): number {
    return this.#elapsed
  }

  /** Runs something at a time in milliseconds after the start, or next where that is over. Answers how to call it off. */
  schedule(at: number, run: () => void): () => void {
    const timer: Timer = { at: Math.max(at, this.#elapsed), tie: this.#random.next(), number: this.#made++, run }
    push(this.#timers, timer)
    return () => {
      timer.run = undefined
    }
  }

  /** Runs something at each of some times, as a timer for each would, in a few bytes for each. */
  scheduleAll(times: ReadonlyArray<number>, run: (index: number) => void): void {
    const first = this.#made
    const ats = Float64Array.from(times, (at) => Math.max(at, this.#elapsed))
    const ties = Uint32Array.from(times, () => this.#random.next())
    const timer = (index: number) => ({ at: ats[index] ?? 0, tie: ties[index] ?? 0, number: first + index })
    const order = Uint32Array.from(times.keys()).sort((one, other) => (isBefore(timer(one), timer(other)) ? -1 : 1))
    this.#made += times.length
    const begin = (place: number): void => {
      const index = order[place]
      if (index === undefined) return
      const runNext = (): void => {
        begin(place + 1)
        run(index)
      }
      push(this.#timers, { ...timer(index), run: runNext })
    }
    begin(0)
  }

  /** Passes to the next timer and runs it; false when there is none. */
  advance(): boolean {
    for (let timer = pop(this.#timers); timer !== undefined; timer = pop(this.#timers)) {
      if (timer.run === undefined) continue
      this.#elapsed = timer.at
      timer.run()
      return true
    }
    return false
  }

  /** Sets what the clock shows forward, or back for a negative number of milliseconds. */
  jump(millis: number): void {
    this.#offset += millis
  }

  currentTimeMillisUnsafe(): number {
    return this.#startedAt + this.#elapsed + this.#offset
  }

  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.currentTimeMillisUnsafe()) * NANOS_PER_MILLI
  }

  monotonicTimeNanosUnsafe(): bigint {
    return BigInt(this.#elapsed) * NANOS_PER_MILLI
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    return Number.isFinite(millis)
      ? Effect.callback<void>((resume) => {
          const callOff = this.schedule(this.#elapsed + Math.ceil(millis), () => resume(Effect.void))
          return Effect.sync(callOff)
        })
      : Effect.never
  }
}

const NANOS_PER_MILLI = 1_000_000n

const isBefore = (one: Omit<Timer, "run">, other: Omit<Timer, "run">): boolean =>
  one.at !== other.at ? one.at < other.at : one.tie !== other.tie ? one.tie < other.tie : one.number < other.number

/** A binary heap, the next timer first. */
const push = (heap: Array<Timer>, timer: Timer): void => {
  let hole = heap.length
  heap.push(timer)
  while (hole > 0) {
    const above = (hole - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(timer, parent)) break
    heap[hole] = parent
    hole = above
  }
  heap[hole] = timer
}

const pop = (heap: Array<Timer>): Timer | undefined => {
  const first = heap[0]
  const last = heap.pop()
  if (first === undefined || last === undefined || heap.length === 0) return first
  let hole = 0
  while (true) {
    const left = heap[2 * hole + 1]
    const right = heap[2 * hole + 2]
    const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left
    if (child === undefined || !isBefore(child, last)) break
    heap[hole] = child
    hole = child === right ? 2 * hole + 2 : 2 * hole + 1
  }
  heap[hole] = last
  return first
}
