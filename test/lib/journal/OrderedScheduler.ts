import type { Fiber, Scheduler } from "effect"

/** A scheduler that is stepped by hand, and runs what is ready in the order in which it became so, as a runtime does. */
export class OrderedScheduler implements Scheduler.Scheduler {
  readonly executionMode = "async"
  #ready: Array<() => void> = []
  #next = 0
  readonly #dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task) => void this.#ready.push(task),
    flush: () => {
      while (this.step());
    }
  }

  /** Runs one task that is ready; false when there is none. */
  step(): boolean {
    const task = this.#ready[this.#next]
    if (task === undefined) {
      this.#ready = []
      this.#next = 0
      return false
    }
    this.#next += 1
    task()
    return true
  }

  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    return fiber.currentOpCount >= fiber.cache.maxOpsBeforeYield
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return this.#dispatcher
  }
}
