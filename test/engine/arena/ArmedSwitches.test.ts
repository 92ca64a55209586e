import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import type { StaleVersion } from "../../../engine/actor/Journal.ts"
import { NOT_HALTED } from "../../../engine/arena/CommitmentHalt.ts"
import type { HaltWorld, ReadHalt } from "../../../engine/arena/CommitmentHalting.ts"
import { ArmedSwitches } from "../../../engine/arena/ArmedSwitches.ts"

const ONE = { companyId: "cmp_1", userId: "usr_1" }
const OTHER = { companyId: "cmp_2", userId: "usr_2" }

/** Connections of a process, and what is recorded of them; the next attempts to record fail. */
const connected = (...failing: ReadonlyArray<boolean>) => {
  const left = [...failing]
  const kept = new Map<string, ReadHalt>()
  const acts: Array<string> = []
  const world: HaltWorld<"down"> = {
    find: (companyId) => Effect.sync(() => kept.get(companyId) ?? { ...NOT_HALTED, version: 0 }),
    write: ({ entry: { event } }) =>
      Effect.suspend(() => {
        if (left.shift() === true) return Effect.fail("down" as const)
        const { armed, companyId, deadlineAt, halted } = event
        kept.set(companyId, { armed, deadlineAt, halted, version: (kept.get(companyId)?.version ?? 0) + 1 })
        acts.push(`${companyId} ${event.act} ${event.cause ?? armed}`)
        return Effect.void
      }),
    due: () => Effect.succeed([]),
    armed: Effect.succeed([])
  }
  const connections = new ArmedSwitches(world)
  const run = (effect: Effect.Effect<void, StaleVersion | "down">) => Exit.isSuccess(Effect.runSyncExit(effect))
  return { acts, connections, run, isArmed: () => kept.get("cmp_1")?.armed }
}

describe("ArmedSwitches", () => {
  it("records the first of a company and the end of the last, and halts it at the end of each", () => {
    const { acts, connections, run } = connected()
    for (const one of [ONE, ONE, OTHER]) expect(run(connections.arm(one))).toBe(true)
    for (const one of [ONE, ONE]) expect(run(connections.ended(one))).toBe(true)
    expect(run(connections.disarm(OTHER))).toBe(true)
    expect(acts).toEqual([
      "cmp_1 arm true",
      "cmp_2 arm true",
      "cmp_1 halt disconnected",
      "cmp_1 halt disconnected",
      "cmp_1 arm false",
      "cmp_2 arm false"
    ])
  })

  it("counts none that was not recorded: who asks again is as who asked once", () => {
    const { acts, connections, isArmed, run } = connected(true, false, false, true, false, false)
    expect([run(connections.arm(ONE)), run(connections.arm(ONE))]).toEqual([false, true])
    expect([run(connections.ended(ONE)), run(connections.ended(ONE)), isArmed()]).toEqual([false, true, false])
    expect(acts).toEqual(["cmp_1 arm true", "cmp_1 halt disconnected", "cmp_1 halt disconnected", "cmp_1 arm false"])
    expect([run(connections.arm(ONE)), isArmed()]).toEqual([true, true])
  })
})
