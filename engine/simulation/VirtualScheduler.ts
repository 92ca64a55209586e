import type { Effect, Fiber, Scheduler } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"

/** Runs an effect on its own. A defect ends the simulation; a failure is for the effect itself to look after. */
export type Fork = <A, E>(effect: Effect.Effect<A, E>) => void

/**
 * A scheduler that is stepped by hand. Of the fibers that are ready it takes one drawn from the seed, so that a seed
 * stands for one interleaving.
 */
export class VirtualScheduler implements Scheduler.Scheduler {
  readonly executionMode = "async"
  readonly #ready: Array<() => void> = []
  readonly #random: SeededRandom
  readonly #dispatcher: Scheduler.SchedulerDispatcher

  constructor(random: SeededRandom) {
    this.#random = random
    this.#dispatcher = {
      scheduleTask: (task) => void this.#ready.push(task),
      flush: () => {
        while (this.step());
      }
    }
  }

  /** Runs one task that is ready; false when there is none. */
  step(): boolean {
    const ready = this.#ready
    const last = ready.length - 1
    if (last < 0) return false
    const chosen = last === 0 ? 0 : this.#random.below(last + 1)
    const task = ready[chosen]
    const moved = ready.pop()
    if (chosen < last && moved !== undefined) ready[chosen] = moved
    task?.()
    return true
  }

  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    return fiber.currentOpCount >= fiber.cache.maxOpsBeforeYield
  }

  /** All fibers share one queue: what is ready is one set, whoever made it so. */
  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return this.#dispatcher
  }
}
