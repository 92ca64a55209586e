import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { faultyJournal } from "../../../engine/simulation/FaultyJournal.ts"
import { smallWorld } from "../../lib/SmallWorld.ts"

type Moment = (FaultPlan & { readonly kind: "crash_actor" })["moment"]

/** How many events are recorded where an actor dies at a moment, and whether it lived. */
const written = (moment?: Moment) => {
  const faults: ReadonlyArray<FaultPlan> =
    moment === undefined ? [] : [{ index: 0, at: 1, kind: "crash_actor", moment }]
  const { board, fork, journal, pass } = smallWorld(faults)
  pass(100)
  const before = journal.events.length
  const event = { _tag: "AllowanceGranted", at: 0, traderId: "mtr_x", amount: 0n } as never
  const lived: Array<boolean> = []
  const append = faultyJournal(board, journal).append({ stream: "x", version: 0, entries: [{ commands: [], event }] })
  fork(Effect.map(Effect.exit(append), (exit) => void lived.push(Exit.isSuccess(exit))))
  pass(100)
  return [journal.events.length - before, lived[0]]
}

describe("FaultyJournal", () => {
  it("writes, unless its turn is to crash: before the commit, while it waits, or after", () => {
    expect(written()).toEqual([1, true])
    expect(written("before")).toEqual([0, false])
    expect(written("waiting")).toEqual([1, false])
    expect(written("after")).toEqual([1, false])
  })
})
