import { describe, expect, it } from "bun:test"
import { Clock, Duration, Effect } from "effect"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"

const START = 1_000_000

const clockOf = (seed = 1) => new VirtualClock(START, new SeededRandom(seed, "clock"))

const runAll = (clock: VirtualClock): void => {
  while (clock.advance());
}

describe("VirtualClock", () => {
  it("runs timers in the order of their deadlines, and stands still between", () => {
    const clock = clockOf()
    const random = new SeededRandom(3, "deadlines")
    const seen: Array<number> = []
    for (let timer = 0; timer < 200; timer++) {
      const at = random.below(50)
      clock.schedule(at, () => {
        expect(clock.elapsed).toBe(at)
        seen.push(at)
      })
    }
    runAll(clock)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(seen.length).toBe(200)
    expect(clock.currentTimeMillisUnsafe()).toBe(START + seen.at(-1)!)
  })

  it("draws the order of timers of one moment from the seed", () => {
    const orderOf = (seed: number) => {
      const clock = clockOf(seed)
      const seen: Array<number> = []
      for (let timer = 0; timer < 20; timer++) clock.schedule(5, () => seen.push(timer))
      runAll(clock)
      return seen
    }
    expect(orderOf(1)).toEqual(orderOf(1))
    expect(orderOf(1)).not.toEqual(orderOf(2))
  })

  it("runs a timer of the past next, one that was called off never", () => {
    const clock = clockOf()
    const seen: Array<string> = []
    clock.schedule(10, () => clock.schedule(3, () => seen.push("late")))
    clock.schedule(11, () => seen.push("after"))
    clock.schedule(4, () => seen.push("off"))()
    runAll(clock)
    expect(seen).toEqual(["late", "after"])
    expect(clock.advance()).toBe(false)
  })

  it("runs many timers as it would each of them", () => {
    const seenBy = (plan: (clock: VirtualClock, seen: (timer: number) => void) => void) => {
      const clock = clockOf()
      const seen: Array<string> = []
      clock.schedule(7, () => clock.schedule(7, () => seen.push("between")))
      plan(clock, (timer) => seen.push(`${timer} at ${clock.elapsed}`))
      clock.schedule(7, () => seen.push("behind"))
      runAll(clock)
      return seen
    }
    const random = new SeededRandom(4, "deadlines")
    const times = Array.from({ length: 300 }, () => random.below(20))
    const together = seenBy((clock, seen) => clock.scheduleAll(times, seen))
    expect(together.length).toBe(302)
    expect(together).toEqual(
      seenBy((clock, seen) => {
        for (const [index, at] of times.entries()) clock.schedule(at, () => seen(index))
      })
    )
  })

  it("can be set forward and back without waking anybody early or late", () => {
    const clock = clockOf()
    const seen: Array<number> = []
    clock.schedule(10, () => clock.jump(-500))
    clock.schedule(20, () => seen.push(clock.currentTimeMillisUnsafe()))
    clock.jump(60_000)
    runAll(clock)
    expect(seen).toEqual([START + 20 + 59_500])
    expect(clock.elapsed).toBe(20)
    expect(clock.monotonicTimeNanosUnsafe()).toBe(20_000_000n)
    expect(clock.currentTimeNanosUnsafe()).toBe(BigInt(START + 59_520) * 1_000_000n)
  })

  it("lets effects sleep, and be interrupted while they do", () => {
    const clock = clockOf()
    const woken: Array<number> = []
    const sleeper = (millis: number) =>
      Effect.runFork(
        Effect.sleep(Duration.millis(millis)).pipe(
          Effect.tap(() => Effect.sync(() => woken.push(clock.elapsed))),
          Effect.provideService(Clock.Clock, clock)
        )
      )
    sleeper(30)
    sleeper(7)
    sleeper(15).interruptUnsafe()
    runAll(clock)
    expect(woken).toEqual([7, 30])
  })
})
