import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { cutOffJournal, faultyJournal } from "../../../engine/simulation/FaultyJournal.ts"
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

/** How many events are recorded where who is no actor is cut off from the journal at a moment, and what it is told. */
const cutOff = (moment: Moment, before: string) => {
  const { board, fork, journal, pass } = smallWorld([{ index: 0, at: 0, before, kind: "crash_actor", moment }])
  pass(100)
  const had = journal.events.length
  const event = { _tag: "AllowanceGranted", at: 0, traderId: "mtr_x", amount: 0n } as never
  const told: Array<string> = []
  const append = cutOffJournal(board, journal).append({ stream: "x", version: 0, entries: [{ commands: [], event }] })
  fork(
    Effect.match(append, {
      onSuccess: () => void told.push("written"),
      onFailure: ({ _tag }) => void told.push(_tag)
    })
  )
  pass(100)
  return [journal.events.length - had, told[0], board.struck.length]
}

describe("The journal as all but actors write it", () => {
  it("answers nothing where that is aimed at what is written: before the commit, while it waits, or after", () => {
    expect(cutOff("before", "AllowanceGranted")).toEqual([0, "JournalUnavailable", 1])
    expect(cutOff("waiting", "AllowanceGranted")).toEqual([1, "JournalUnavailable", 1])
    expect(cutOff("after", "AllowanceGranted")).toEqual([1, "JournalUnavailable", 1])
    expect(cutOff("before", "FundsMinted")).toEqual([1, "written", 0])
  })
})

describe("FaultyJournal", () => {
  it("writes, unless its turn is to crash: before the commit, while it waits, or after", () => {
    expect(written()).toEqual([1, true])
    expect(written("before")).toEqual([0, false])
    expect(written("waiting")).toEqual([1, false])
    expect(written("after")).toEqual([1, false])
  })
})
