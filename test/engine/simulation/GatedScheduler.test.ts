import { describe, expect, it } from "bun:test"
import { Effect, Scheduler } from "effect"
import { GatedScheduler } from "../../../engine/simulation/GatedScheduler.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualScheduler } from "../../../engine/simulation/VirtualScheduler.ts"

describe("GatedScheduler", () => {
  it("runs what its process is to do when that runs, among what others do", () => {
    const shared = new VirtualScheduler(new SeededRandom(1, "scheduler"))
    const waiting: Array<() => void> = []
    let isOpen = true
    const gated = new GatedScheduler(shared, (task) => (isOpen ? task() : void waiting.push(task)))
    const steps: Array<number> = []
    const program = Effect.gen(function* () {
      for (const step of [1, 2, 3]) {
        steps.push(step)
        yield* Effect.yieldNow
      }
    })
    Effect.runFork(Effect.provideService(program, Scheduler.Scheduler, gated))
    const settle = () => {
      while (shared.step());
    }
    isOpen = false
    settle()
    const before = steps.length
    expect(before).toBeLessThan(3)
    isOpen = true
    for (const task of waiting.splice(0)) task()
    settle()
    expect(steps).toEqual([1, 2, 3])
  })
})
