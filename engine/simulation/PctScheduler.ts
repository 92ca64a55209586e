import type { Fiber, Scheduler } from "effect"
import { BinaryHeap } from "../collections/BinaryHeap.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { SteppedScheduler } from "./VirtualScheduler.ts"

/** A fiber, by what it has scheduled: itself where it goes on, and the beginnings of those that it forks. */
interface Strand {
  /** The highest goes first. */
  priority: number
  /** Of two with one priority the older goes first. */
  readonly number: number
  readonly ready: Array<() => void>
  isQueued: boolean
}

export interface PctBound {
  /** The largest depth of a bug that is found with the bound's probability: how many orderings of steps it needs. */
  readonly depth: number
  /** How many steps the program takes, at most. */
  readonly steps: number
}

/**
 * A scheduler with a bound: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatti: A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). Each fiber gets a random priority when it first
 * schedules something, and the ready one with the highest runs. At each of depth − 1 random steps, the fiber that takes the
 * step falls to a priority below all that were drawn.
 *
 * A bug of a depth d up to the bound's is found by a run with a probability of at least 1 ÷ (n × kᵈ⁻¹), for n fibers and k
 * steps, whatever else the program does. All from the seed.
 */
export class PctScheduler implements SteppedScheduler {
  readonly executionMode = "async"
  readonly #random: SeededRandom
  readonly #depth: number
  /** By step, from 1, the priority that its fiber falls to. */
  readonly #changes = new Map<number, number>()
  readonly #queue = new BinaryHeap<Strand>((one, other) =>
    one.priority !== other.priority ? one.priority > other.priority : one.number < other.number
  )
  #strands = 0
  #steps = 0

  constructor(random: SeededRandom, { depth, steps }: PctBound) {
    this.#random = random
    this.#depth = depth
    for (let change = 1; change < depth; change++) this.#changes.set(1 + random.below(Math.max(1, steps)), change)
  }

  get steps(): number {
    return this.#steps
  }

  step(): boolean {
    const strand = this.#queue.pop()
    if (strand === undefined) return false
    this.#steps += 1
    strand.priority = this.#changes.get(this.#steps) ?? strand.priority
    const task = strand.ready.shift()
    strand.isQueued = false
    if (strand.ready.length > 0) this.#enqueue(strand)
    task?.()
    return true
  }

  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    return fiber.currentOpCount >= fiber.cache.maxOpsBeforeYield
  }

  /** A dispatcher is a fiber's own. */
  makeDispatcher(): Scheduler.SchedulerDispatcher {
    const strand: Strand = {
      priority: this.#depth + this.#random.next(),
      number: this.#strands++,
      ready: [],
      isQueued: false
    }
    return {
      scheduleTask: (task) => {
        strand.ready.push(task)
        if (!strand.isQueued) this.#enqueue(strand)
      },
      flush: () => {
        while (this.step());
      }
    }
  }

  #enqueue(strand: Strand): void {
    strand.isQueued = true
    this.#queue.push(strand)
  }
}
