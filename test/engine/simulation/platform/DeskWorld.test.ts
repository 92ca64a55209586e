import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import { anew, counted, FirstMeanings, keyed } from "../../../../engine/simulation/platform/DeskWorld.ts"
import { companyWorld } from "../../../lib/CompanyWorld.ts"

const event = { _tag: "VaultDepositsSet", at: 1, closed: false } as const

describe("writingTo", () => {
  it("writes under a key once, and fails with a version that is gone", () => {
    const { journal, run, world } = companyWorld()
    const entry = { stream: "vault", version: null, entry: { commands: [], event, idempotency: keyed("k") } }
    expect(Exit.isSuccess(run(world.write(entry)))).toBe(true)
    expect(run(Effect.flip(world.write(entry)))).toMatchObject({ value: { _tag: "JournalUnavailable" } })
    expect(journal.lastSeq).toBe(1)
    const stale = { stream: "vault", version: 0, entry: { commands: [], event } }
    expect(run(Effect.flip(world.write(stale)))).toMatchObject({ value: { _tag: "StaleVersion" } })
  })
})

describe("FirstMeanings", () => {
  it("keeps what a key meant at first, also where it meant nothing", () => {
    const meant = new FirstMeanings<string | undefined>()
    const asked = [
      ["k", "a"],
      ["k", "b"],
      ["l", undefined],
      ["l", "c"]
    ] as const
    expect(asked.map(([key, meaning]) => meant.of(key, () => meaning))).toEqual(["a", "a", undefined, undefined])
  })
})

describe("counted", () => {
  it("counts round, and names nothing of nothing", () => {
    expect([counted(["a", "b"], 3), counted([], 3)]).toEqual(["b", undefined])
  })
})

describe("anew", () => {
  it("is another version of the same", () => {
    const { run } = companyWorld()
    const failed = anew("s", 2)()
    expect(run(Effect.flip(failed))).toMatchObject({ value: { stream: "s", actual: 2 } })
  })
})
