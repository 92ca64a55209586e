import { describe, expect, it } from "bun:test"
import { Clock, Effect, Exit } from "effect"
import { type Fate, KEPT } from "../../../engine/simulation/CallFate.ts"
import { MemoryDatabase, Untrue } from "../../../engine/simulation/MemoryDatabase.ts"
import { MemoryServer } from "../../../engine/simulation/MemoryServer.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"

/** A server whose calls meet a fate, and what it did and heard. */
const serverOf = (fate: Partial<Fate> = {}) => {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const happened: Array<string> = []
  const server = new MemoryServer(1, {
    database: new MemoryDatabase(),
    clock,
    fateOf: () => ({ ...KEPT, there: 2, back: 3, ...fate }),
    report: (problem) => void happened.push(problem),
    start: () => void happened.push("another")
  })
  const call = (execute: () => unknown = () => void happened.push(`done ${clock.elapsed}`)) =>
    Effect.runFork(server.call("append", execute)).addObserver((exit) => {
      const failed = Exit.isFailure(exit) ? exit.cause.reasons.map((reason) => reason._tag).join() : "answered"
      happened.push(`${failed} ${clock.elapsed}`)
    })
  const pass = (): ReadonlyArray<string> => {
    while (clock.advance());
    return happened.splice(0)
  }
  return { call, clock, pass, server }
}

/** What happens where one call meets a fate. */
const happens = (fate: Partial<Fate>): ReadonlyArray<string> => {
  const { call, pass } = serverOf(fate)
  call()
  return pass()
}

describe("MemoryServer", () => {
  it("is answered as the fate of a call has it", () => {
    expect(happens({})).toEqual(["done 2", "answered 5"])
    expect(happens({ becomes: "lost" })).toEqual(["Fail 5"])
    expect(happens({ becomes: "unanswered" })).toEqual(["done 2", "Fail 5"])
    expect(happens({ becomes: "late", late: 10 })).toEqual(["Fail 5", "done 12"])
    expect(happens({ becomes: "begun", late: 10 })).toEqual(["Fail 5", "done 12"])
    expect(happens({ rival: true })).toEqual(["another", "done 2", "answered 5"])
  })

  it("hears nothing once it is killed, and late while it stands still", () => {
    expect(happens({ kill: "sent" })).toEqual(["done 2"])
    expect(happens({ kill: "done" })).toEqual(["done 2"])
    expect(happens({ kill: "answered" })).toEqual(["done 2"])
    expect(happens({ pause: 50 })).toEqual(["done 2", "answered 50"])
  })

  it("tells what is not so from what cannot be", () => {
    const { call, pass } = serverOf()
    call(() => {
      throw new Untrue()
    })
    expect(pass()).toEqual(["Fail 5"])
    call(() => {
      throw new Error("a row")
    })
    expect(pass()).toEqual(["Error: a row", "Fail 10"])
  })

  it("has its calls arrive in the order of their sending, and its timers while it lives", () => {
    const { call, clock, pass, server } = serverOf()
    call()
    call()
    expect(pass()).toEqual(["done 2", "done 3", "answered 5", "answered 6"])
    const slept: Array<number> = []
    for (let each = 0; each < 2; each++) {
      Effect.runFork(
        Effect.map(server.clock.sleep({ _tag: "Millis", millis: 5 } as never), () => slept.push(clock.elapsed))
      )
      pass()
      server.kill()
    }
    expect(slept.length).toBe(1)
  })

  it("wakes who sleeps after their time, of however many spans", () => {
    const { clock, pass, server } = serverOf()
    const woken: Array<number> = []
    for (const base of [0, 100]) {
      for (let millis = 40; millis > 0; millis--) {
        const sleep = Effect.provideService(Effect.sleep(millis), Clock.Clock, server.clock)
        Effect.runFork(Effect.map(sleep, () => woken.push(clock.elapsed - base)))
      }
      pass()
      clock.schedule(100, () => {})
      pass()
    }
    const ascending = Array.from({ length: 40 }, (_, index) => index + 1)
    expect(woken).toEqual([...ascending, ...ascending])
  })
})
