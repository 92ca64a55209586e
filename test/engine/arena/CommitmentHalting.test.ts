import { describe, expect, it } from "bun:test"
import { Clock, Effect, Exit } from "effect"
import { StaleVersion } from "../../../engine/actor/Journal.ts"
import { commitmentHaltStream, NOT_HALTED } from "../../../engine/arena/CommitmentHalt.ts"
import {
  askHalt,
  haltAfter,
  haltAllArmed,
  haltAllDue,
  type HaltWorld,
  liftHalt,
  type ReadHalt
} from "../../../engine/arena/CommitmentHalting.ts"

const USER = { companyId: "cmp_1", userId: "usr_1" }

/** Switches in memory; `meanwhile` runs once, between the next reading and its writing. */
const switches = () => {
  const kept = new Map<string, ReadHalt>()
  const acts: Array<string> = []
  let meanwhile: Effect.Effect<unknown, StaleVersion> | undefined
  const world: HaltWorld<never> = {
    find: (companyId) => Effect.sync(() => kept.get(companyId) ?? { ...NOT_HALTED, version: 0 }),
    write: ({ entry: { event }, stream, version }) =>
      Effect.gen(function* () {
        const first = meanwhile
        meanwhile = undefined
        if (first !== undefined) yield* Effect.orDie(first)
        const actual = kept.get(event.companyId)?.version ?? 0
        expect(stream).toBe(commitmentHaltStream(event.companyId))
        if (actual !== version) return yield* new StaleVersion({ stream, expected: version ?? 0, actual })
        const { armed, deadlineAt, halted } = event
        kept.set(event.companyId, { armed, deadlineAt, halted, version: actual + 1 })
        acts.push(`${event.act} ${event.cause ?? ""}`.trim())
      }),
    due: (now, limit) =>
      Effect.sync(() =>
        [...kept]
          .flatMap(([id, { deadlineAt }]) => (deadlineAt !== null && deadlineAt <= now ? [id] : []))
          .slice(0, limit)
      ),
    armed: Effect.sync(() => [...kept].flatMap(([id, { armed }]) => (armed ? [id] : [])))
  }
  const interrupted = (other: Effect.Effect<unknown, StaleVersion>) => void (meanwhile = other)
  return { acts, interrupted, kept, world }
}

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runSyncExit(effect)

describe("The kill switch", () => {
  it("is pulled whatever was asked meanwhile", () => {
    const { acts, interrupted, kept, world } = switches()
    interrupted(askHalt(world, USER, () => ({ act: "arm", armed: true })))
    expect(Exit.isSuccess(run(askHalt(world, USER, () => ({ act: "halt", cause: "asked" }))))).toBe(true)
    expect(acts).toEqual(["arm", "halt asked"])
    expect(kept.get("cmp_1")).toMatchObject({ armed: true, halted: { by: "usr_1" }, version: 2 })
  })

  it("is lifted unless it was pulled again meanwhile, by anybody", () => {
    const { acts, interrupted, world } = switches()
    run(askHalt(world, USER, () => ({ act: "halt", cause: "asked" })))
    interrupted(askHalt(world, { ...USER, userId: null }, () => ({ act: "halt", cause: "restarted" })))
    expect(String(run(liftHalt(world, USER)))).toContain("HaltedAgain")
    expect(acts).toEqual(["halt asked", "halt restarted"])
    interrupted(askHalt(world, USER, () => ({ act: "arm", armed: true })))
    expect(Exit.isSuccess(run(liftHalt(world, USER)))).toBe(true)
    expect(acts.at(-1)).toBe("resume")
    expect(Exit.isSuccess(run(liftHalt(world, USER)))).toBe(true)
    expect(acts.length).toBe(4)
  })

  it("waits for so many seconds from now, and with none for nothing", () => {
    const { kept, world } = switches()
    const now = Effect.runSync(Clock.currentTimeMillis)
    run(haltAfter(world, USER, 30))
    expect(kept.get("cmp_1")?.deadlineAt).toBeGreaterThanOrEqual(now + 30_000)
    run(haltAfter(world, USER, 0))
    expect(kept.get("cmp_1")?.deadlineAt).toBeNull()
  })

  it("is pulled where it is due, and not where somebody asked again just then", () => {
    const { acts, interrupted, kept, world } = switches()
    run(askHalt(world, USER, () => ({ act: "deadline", deadlineAt: 5 })))
    interrupted(askHalt(world, USER, () => ({ act: "deadline", deadlineAt: 9_000_000_000_000 })))
    run(haltAllDue(world))
    expect(acts).toEqual(["deadline", "deadline"])
    run(askHalt(world, USER, () => ({ act: "deadline", deadlineAt: 5 })))
    run(haltAllDue(world))
    expect(acts.at(-1)).toBe("halt deadline")
    expect(kept.get("cmp_1")).toMatchObject({ deadlineAt: null, halted: { by: null, cause: "deadline" } })
    run(haltAllDue(world))
    expect(acts.length).toBe(4)
  })

  it("is pulled for each company whose connections ended with the process before", () => {
    const { acts, kept, world } = switches()
    run(askHalt(world, USER, () => ({ act: "arm", armed: true })))
    run(askHalt(world, { ...USER, companyId: "cmp_2" }, () => ({ act: "arm", armed: false })))
    run(haltAllArmed(world))
    expect(acts).toEqual(["arm", "arm", "halt restarted", "arm"])
    expect([kept.get("cmp_1")?.armed, kept.get("cmp_2")?.halted]).toEqual([false, null])
  })
})
