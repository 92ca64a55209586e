import { Cause, Clock, Context, Effect, Exit, type Fiber, Random, References, Scheduler } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** Runs an effect on its own. A defect ends the simulation; a failure is for the effect itself to look after. */
export type Fork = <A, E>(effect: Effect.Effect<A, E>) => void

/** A scheduler that is stepped by hand. */
export interface SteppedScheduler extends Scheduler.Scheduler {
  /** Runs one task that is ready; false when there is none. */
  readonly step: () => boolean
  /** How many tasks have run. */
  readonly steps: number
}

/** What fibers run in. */
export interface ForkedWorld {
  readonly scheduler: Scheduler.Scheduler
  readonly clock: VirtualClock
  readonly random: SeededRandom
}

/** Runs effects in a world; a defect is told in words. */
export const forkingIn = ({ clock, random, scheduler }: ForkedWorld, onDefect: (text: string) => void): Fork => {
  const context = Context.make(Scheduler.Scheduler, scheduler).pipe(
    Context.add(Clock.Clock, clock),
    Context.add(Random.Random, random),
    Context.add(References.MinimumLogLevel, "None")
  )
  const fork = Effect.runForkWith(context)
  return (effect) => {
    fork(effect).addObserver((exit) => {
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) onDefect(String(Cause.squash(exit.cause)))
    })
  }
}

/**
 * A scheduler that is stepped by hand. Of the fibers that are ready it takes one drawn from the seed, so that a seed
 * stands for one interleaving.
 */
export class VirtualScheduler implements SteppedScheduler {
  readonly executionMode = "async"
  readonly #ready: Array<() => void> = []
  readonly #random: SeededRandom
  readonly #dispatcher: Scheduler.SchedulerDispatcher
  #steps = 0

  constructor(random: SeededRandom) {
    this.#random = random
    this.#dispatcher = {
      scheduleTask: (task) => void this.#ready.push(task),
      flush: () => {
        while (this.step());
      }
    }
  }

  get steps(): number {
    return this.#steps
  }

  step(): boolean {
    const ready = this.#ready
    const last = ready.length - 1
    if (last < 0) return false
    const chosen = last === 0 ? 0 : this.#random.below(last + 1)
    const task = ready[chosen]
    const moved = ready.pop()
    if (chosen < last && moved !== undefined) ready[chosen] = moved
    this.#steps += 1
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
