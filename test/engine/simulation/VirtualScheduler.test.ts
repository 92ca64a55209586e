import { describe, expect, it } from "bun:test"
import { Effect, Scheduler } from "effect"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualScheduler } from "../../../engine/simulation/VirtualScheduler.ts"

/** Which of three fibers, each of which yields three times, took each turn. */
const interleaving = (seed: number): string => {
  const scheduler = new VirtualScheduler(new SeededRandom(seed, "scheduler"))
  let turns = ""
  for (const name of ["a", "b", "c"]) {
    const fiber = Effect.yieldNow.pipe(
      Effect.andThen(Effect.sync(() => void (turns += name))),
      Effect.repeat({ times: 2 }),
      Effect.provideService(Scheduler.Scheduler, scheduler)
    )
    Effect.runFork(fiber)
  }
  while (scheduler.step());
  return turns
}

describe("VirtualScheduler", () => {
  it("gives every fiber its turns, in an order that is the seed's", () => {
    expect(Array.from(interleaving(1)).toSorted().join("")).toBe("aaabbbccc")
    expect(interleaving(1)).toBe(interleaving(1))
  })

  it("finds many interleavings", () => {
    expect(new Set(Array.from({ length: 50 }, (_, seed) => interleaving(seed))).size).toBeGreaterThan(20)
  })

  it("has nothing to do without a task, and one queue for all dispatchers", () => {
    const scheduler = new VirtualScheduler(new SeededRandom(1, "scheduler"))
    expect(scheduler.step()).toBe(false)
    let runs = 0
    scheduler.makeDispatcher().scheduleTask(() => void (runs += 1), 0)
    scheduler.makeDispatcher().flush()
    expect(runs).toBe(1)
    expect(scheduler.step()).toBe(false)
  })
})
