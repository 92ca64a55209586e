import { describe, expect, it } from "bun:test"
import { Effect, Scheduler } from "effect"
import fc from "fast-check"
import { PctScheduler } from "../../../engine/simulation/PctScheduler.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { type SteppedScheduler, VirtualScheduler } from "../../../engine/simulation/VirtualScheduler.ts"
import { property } from "../../lib/Property.ts"

/** What a fiber does, one step each. */
type Program = ReadonlyArray<ReadonlyArray<() => void>>

/** Runs a program's fibers to their end, each step a turn of its own; answers how many steps there were. */
const run = (scheduler: SteppedScheduler, program: Program): number => {
  for (const steps of program) {
    const fiber = Effect.forEach(steps, (step) => Effect.andThen(Effect.yieldNow, Effect.sync(step)), { discard: true })
    Effect.runFork(Effect.provideService(fiber, Scheduler.Scheduler, scheduler))
  }
  while (scheduler.step());
  return scheduler.steps
}

const idle = (count: number): ReadonlyArray<() => void> => Array.from({ length: count }, () => () => {})

/** A program with a bug in it, which shows when its steps come in one order. */
interface Planted {
  readonly fibers: number
  readonly make: () => { readonly program: Program; readonly hasFailed: () => boolean }
}

/** As hard to find as their depths allow: all but one place of each change is missed. */
const PLANTED: Readonly<Record<"depth 1" | "depth 2" | "depth 3" | "depth 3 of three", Planted>> = {
  /** Something is used before it is there. */
  "depth 1": {
    fibers: 2,
    make: () => {
      let [isMade, hasFailed] = [false, false]
      const use = () => void (hasFailed ||= !isMade)
      const make = () => void (isMade = true)
      return {
        program: [
          [...idle(6), make],
          [...idle(12), use]
        ],
        hasFailed: () => hasFailed
      }
    }
  },
  /** A value is read, and written back after another one wrote: the update is lost. */
  "depth 2": {
    fibers: 2,
    make: () => {
      let [value, read] = [0, 0]
      const add = [() => void (read = value), () => void (value = read + 1)]
      const other = () => void (value += 1)
      return {
        program: [
          [...idle(5), ...add, ...idle(5)],
          [...idle(12), other]
        ],
        hasFailed: () => value === 1
      }
    }
  },
  /** What was there at a check is gone at its use, until another fiber puts it back. */
  "depth 3": {
    fibers: 2,
    make: () => {
      let [isThere, wasThere, hasFailed] = [true, false, false]
      const check = () => void (wasThere = isThere)
      const use = () => void (hasFailed = wasThere && !isThere)
      const take = () => void (isThere = false)
      const back = () => void (isThere = true)
      const program = [
        [...idle(1), check, use, ...idle(1)],
        [...idle(2), take, back, ...idle(1)]
      ]
      return { program, hasFailed: () => hasFailed }
    }
  },
  /** Three fibers, of which the last has to come between two steps of the second, which come between two of the first. */
  "depth 3 of three": {
    fibers: 3,
    make: () => {
      let state = 0
      const step = (from: number) => () => void (state = state === from ? from + 1 : state)
      const program = [
        [...idle(1), step(0), step(4), ...idle(1)],
        [...idle(1), step(1), step(3), ...idle(1)],
        [...idle(1), step(2)]
      ]
      return { program, hasFailed: () => state === 5 }
    }
  }
}

const DEPTHS = { "depth 1": 1, "depth 2": 2, "depth 3": 3, "depth 3 of three": 3 } as const

const stepsOf = ({ make }: Planted): number =>
  run(new VirtualScheduler(new SeededRandom(1, "measured")), make().program)

/** In how many of the runs a bug shows. */
const found = ({ make }: Planted, runs: number, scheduler: (seed: number) => SteppedScheduler): number => {
  let count = 0
  for (let seed = 0; seed < runs; seed++) {
    const { hasFailed, program } = make()
    run(scheduler(seed), program)
    count += hasFailed() ? 1 : 0
  }
  return count
}

/** The greatest rate that may have given so few hits, but for one case in 700: Wilson's bound at three standard deviations. */
const mostRate = (hits: number, runs: number): number => {
  const z = 3
  const rate = hits / runs
  const middle = rate + (z * z) / (2 * runs)
  const spread = z * Math.sqrt((rate * (1 - rate)) / runs + (z * z) / (4 * runs * runs))
  return (middle + spread) / (1 + (z * z) / runs)
}

const RUNS = 12_000

/** The bound on the rate at which a bug is found, and what may be the rate at which it was. */
const ratesOf = (name: keyof typeof PLANTED, depth: number) => {
  const planted = PLANTED[name]
  const steps = stepsOf(planted)
  const hits = found(planted, RUNS, (seed) => new PctScheduler(new SeededRandom(seed, "pct"), { depth, steps }))
  return { bound: 1 / (planted.fibers * steps ** (DEPTHS[name] - 1)), rate: mostRate(hits, RUNS) }
}

describe("PctScheduler", () => {
  for (const name of ["depth 1", "depth 2", "depth 3", "depth 3 of three"] as const) {
    it(`finds a planted bug of ${name} at or above its bound`, () => {
      const { bound, rate } = ratesOf(name, DEPTHS[name])
      expect(rate).toBeGreaterThanOrEqual(bound)
    })
  }

  it("does not find a bug of a depth above its own as often", () => {
    for (const name of ["depth 2", "depth 3", "depth 3 of three"] as const) {
      const { bound, rate } = ratesOf(name, DEPTHS[name] - 1)
      expect(rate).toBeLessThan(bound)
    }
  })

  it("finds what a uniform choice all but never does: that a fiber waits while another one goes a long way", () => {
    const late: Planted = {
      fibers: 2,
      make: () => {
        let [isMade, hasFailed] = [false, false]
        const program = [[() => void (isMade = true)], [...idle(30), () => void (hasFailed = !isMade)]]
        return { program, hasFailed: () => hasFailed }
      }
    }
    const uniform = found(late, 2_000, (seed) => new VirtualScheduler(new SeededRandom(seed, "uniform")))
    const bounded = found(
      late,
      2_000,
      (seed) => new PctScheduler(new SeededRandom(seed, "pct"), { depth: 1, steps: 31 })
    )
    expect(uniform).toBeLessThan(3)
    expect(bounded).toBeGreaterThan(900)
  })

  it("gives every fiber its turns, and the same for the same seed", () => {
    const turns = (seed: number, fibers: number, steps: number, depth: number): string => {
      let told = ""
      const program = Array.from({ length: fibers }, (_, name) =>
        Array.from({ length: steps }, () => () => void (told += String.fromCharCode(97 + name)))
      )
      run(new PctScheduler(new SeededRandom(seed, "pct"), { depth, steps: fibers * steps }), program)
      return told
    }
    const upTo = (max: number) => fc.integer({ min: 1, max })
    const some = fc.tuple(fc.nat(), upTo(6), upTo(8), upTo(9))
    fc.assert(
      fc.property(some, (given) => {
        const told = turns(...given)
        const [, fibers, steps] = given
        expect(told).toBe(turns(...given))
        for (let name = 0; name < fibers; name++) {
          expect(told.split(String.fromCharCode(97 + name)).length - 1).toBe(steps)
        }
      }),
      property()
    )
  })

  it("changes who runs no more often than its bound allows", () => {
    for (let seed = 0; seed < 200; seed++) {
      let told = ""
      const program = ["a", "b", "c"].map((name) => Array.from({ length: 9 }, () => () => void (told += name)))
      run(new PctScheduler(new SeededRandom(seed, "pct"), { depth: 3, steps: 27 }), program)
      // Three fibers end, and two of them may be put back once more each.
      expect(told.replaceAll(/(.)\1+/g, "$1").length).toBeLessThanOrEqual(5)
    }
  })

  it("has nothing to do without a task", () => {
    const scheduler = new PctScheduler(new SeededRandom(1, "pct"), { depth: 3, steps: 0 })
    expect(scheduler.step()).toBe(false)
    let runs = 0
    const dispatcher = scheduler.makeDispatcher()
    dispatcher.scheduleTask(() => void (runs += 1), 0)
    dispatcher.scheduleTask(() => void (runs += 1), 0)
    dispatcher.flush()
    expect([runs, scheduler.steps, scheduler.step()]).toEqual([2, 2, false])
  })
})
