import { describe, expect } from "bun:test"
import { Clock, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { steady } from "../../../engine/journal/SteadyClock.ts"
import { GrowingLead, TimeLead } from "../../../engine/journal/TimeLead.ts"
import { Settings } from "../../../src/Config.ts"
import { DueWork, DueWorks } from "../../../src/DueWork.ts"
import { MAX_AHEAD, refusalOf, SandboxClock, STEP } from "../../../src/sandbox/SandboxClock.ts"
import * as Worker from "../../../src/Worker.ts"
import { itLive } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

/** When the machine's clock stands still. */
const NOON = Date.UTC(2026, 10, 27, 12)

const machine: Clock.Clock = {
  currentTimeMillisUnsafe: () => NOON,
  currentTimeMillis: Effect.succeed(NOON),
  currentTimeNanosUnsafe: () => 0n,
  currentTimeNanos: Effect.succeed(0n),
  monotonicTimeNanosUnsafe: () => 0n,
  monotonicTimeNanos: Effect.succeed(0n),
  sleep: () => Effect.never
}

/** A sandbox's clock as a start finds it, and what is done at each of its steps. */
const started = <A, E, R>(
  body: (clock: SandboxClock["Service"], works: DueWorks) => Effect.Effect<A, E, R>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly lead: bigint }>`SELECT lead FROM sandbox_clock`
    const lead = new GrowingLead(Number(row?.lead ?? 0n))
    const works = new DueWorks()
    return yield* Effect.flatMap(SandboxClock, (clock) => body(clock, works)).pipe(
      Effect.provide(SandboxClock.layer.pipe(Layer.provide(Settings.layerOf(settings)))),
      Effect.provideService(Clock.Clock, steady(machine, 0, lead)),
      Effect.provideService(TimeLead, lead),
      Effect.provideService(DueWork, works)
    )
  })

const inDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, TestDatabase.layer)

describe("SandboxClock", () => {
  itLive("goes on by the hour, does at each step what is due in order, and is there to the millisecond", () =>
    inDatabase(
      started((clock, works) =>
        Effect.gen(function* () {
          const seen: Array<string> = []
          const noting = (name: string) => ({
            name,
            look: Effect.map(Clock.currentTimeMillis, (now) => void seen.push(`${name} ${now - NOON}`))
          })
          const forget = works.add(noting("first"))
          works.add(noting("second"))
          yield* clock.round
          expect(seen).toEqual([])
          const until = NOON + 2 * STEP + 1_234
          expect(yield* clock.setForward(until)).toEqual({ now: NOON, lead: 0, until })
          yield* clock.round
          const at = [STEP, 2 * STEP, 2 * STEP + 1_234]
          expect(seen).toEqual(at.flatMap((time) => [`first ${time}`, `second ${time}`]))
          expect(yield* clock.show).toEqual({ now: until, lead: until - NOON, until: null })
          forget()
          yield* clock.setForward(until + 1)
          yield* clock.round
          expect(seen.slice(-1)).toEqual([`second ${2 * STEP + 1_235}`])
          expect(seen).toHaveLength(7)
        })
      )
    )
  )

  itLive("takes shorter steps to what must not be late, and is alone with the work meanwhile", () =>
    inDatabase(
      started((clock, works) =>
        Effect.gen(function* () {
          const dues = [20, 50, 50, 140].map((minutes) => NOON + minutes * 60_000)
          const seen: Array<readonly [number, boolean]> = []
          const look = Effect.map(
            Clock.currentTimeMillis,
            (now) => void seen.push([(now - NOON) / 60_000, works.isLed])
          )
          const next = (now: number) => dues.find((at) => at > now)
          works.add({ name: "orders", look, next })
          yield* clock.setForward(NOON + 3 * STEP)
          yield* clock.round
          expect(seen).toEqual([20, 50, 110, 140, 180].map((minutes) => [minutes, true]))
          expect(works.isLed).toBe(false)
        })
      )
    )
  )

  itLive("stays where it is once it is stopped", () =>
    inDatabase(
      started((clock, works) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const stop = Effect.orDie(Effect.asVoid(sql`UPDATE sandbox_clock SET until = NULL`))
          works.add({ name: "stopping", look: stop })
          yield* clock.setForward(NOON + 3 * STEP)
          yield* clock.round
          expect(yield* clock.show).toEqual({ now: NOON + STEP, lead: STEP, until: null })
        })
      )
    )
  )

  itLive("goes on after a stop from where it was, to where it was to go", () =>
    inDatabase(
      Effect.gen(function* () {
        const until = NOON + 5 * STEP
        const stopped = yield* Effect.exit(
          started((clock, works) => {
            let steps = 0
            const look = Effect.suspend(() => ((steps += 1) === 3 ? Effect.die(new Error("killed")) : Effect.void))
            works.add({ name: "killed", look })
            return Effect.andThen(clock.setForward(until), clock.round)
          })
        )
        expect(Exit.isFailure(stopped)).toBe(true)
        yield* started((clock, works) =>
          Effect.gen(function* () {
            expect(yield* clock.show).toEqual({ now: NOON + 3 * STEP, lead: 3 * STEP, until })
            expect((yield* Effect.flip(clock.setForward(until + STEP))).message).toContain("still being set forward")
            let steps = 0
            works.add({ name: "counting", look: Effect.sync(() => void (steps += 1)) })
            yield* clock.round
            expect([steps, (yield* clock.show).now]).toEqual([2, until])
          })
        )
        yield* started((clock) =>
          Effect.map(clock.show, (shown) => expect(shown).toEqual({ now: until, lead: 5 * STEP, until: null }))
        )
      })
    )
  )

  itLive("takes what fails for what it is, and goes on", () =>
    inDatabase(
      started((clock) =>
        Effect.gen(function* () {
          let looks = 0
          const failing = Effect.suspend(() => {
            looks += 1
            return Effect.die(new Error("stumbled"))
          })
          yield* Worker.due("1 hour", "Stumbling", failing)
          yield* clock.setForward(NOON + 2 * STEP)
          yield* clock.round
          expect([looks >= 2, (yield* clock.show).until]).toEqual([true, null])
        })
      )
    )
  )

  itLive("is kept in production and in a cluster, and never set back or further than a year", () =>
    Effect.sync(() => {
      const asked = { mode: "sandbox", isCluster: false, now: NOON, until: NOON + 1 } as const
      const reasonOf = (change: Partial<Parameters<typeof refusalOf>[0]>) => refusalOf({ ...asked, ...change })?.reason
      expect(reasonOf({})).toBeUndefined()
      expect(reasonOf({ mode: "production" })).toBe("production")
      expect(reasonOf({ isCluster: true })).toBe("several_nodes")
      expect(reasonOf({ until: NOON })).toBe("time")
      expect(reasonOf({ until: NOON + MAX_AHEAD })).toBeUndefined()
      expect(reasonOf({ until: NOON + MAX_AHEAD + 1 })).toBe("time")
    })
  )
})
