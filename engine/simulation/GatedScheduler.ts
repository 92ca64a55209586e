import type { Fiber, Scheduler } from "effect"

/** A scheduler whose tasks are those of one process: they run when it runs. */
export class GatedScheduler implements Scheduler.Scheduler {
  readonly executionMode = "async"
  readonly #shared: Scheduler.Scheduler
  readonly #dispatcher: Scheduler.SchedulerDispatcher

  /** @param gate - has a task run now, later or never */
  constructor(shared: Scheduler.Scheduler, gate: (task: () => void) => void) {
    const dispatcher = shared.makeDispatcher()
    this.#shared = shared
    this.#dispatcher = {
      scheduleTask: (task, priority) => dispatcher.scheduleTask(() => gate(task), priority),
      flush: () => dispatcher.flush()
    }
  }

  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    return this.#shared.shouldYield(fiber)
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return this.#dispatcher
  }
}
