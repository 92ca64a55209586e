import { describe, expect, it } from "bun:test"
import type { BotEvent } from "../../../engine/bots/BotEvent.ts"
import { BotCase, budgeted, decided, FEBRUARY, granted, lifecycle, made } from "../../lib/BotCases.ts"

const started = lifecycle("BotStarted")
const resumed = lifecycle("BotResumed")

const MINUTE = 60_000

/** The company asks for its bots to be paused so many milliseconds after this one, or not at all. */
const asked = (after: number | null, at = 0): BotEvent => ({
  _tag: "BotGuardSet",
  at: FEBRUARY + at,
  by: "usr_1",
  companyId: "cmp_1",
  deadlineAt: after === null ? null : FEBRUARY + at + after
})

const ended = (at: number): BotEvent => ({ ...asked(null, at), by: null }) as BotEvent

const paused = (at: number): BotEvent => ({ ...lifecycle("BotPaused"), at: FEBRUARY + at, by: null }) as BotEvent

const told = (...events: ReadonlyArray<BotEvent>) => new BotCase().tell(made, started, ...events)

describe("GuardAudit", () => {
  it("finds nothing where bots are paused once a guard is due, and where they are resumed after", () => {
    expect(told(asked(MINUTE), paused(MINUTE), ended(MINUTE), resumed).found).toEqual([])
    expect(told(asked(MINUTE), paused(MINUTE), resumed, ended(MINUTE)).found).toEqual([])
  })

  it("sees bots that the platform pauses although nobody asked, asked again in time, or called it off", () => {
    expect(told(paused(MINUTE)).found).toEqual(["guard"])
    expect(told(asked(MINUTE), asked(MINUTE, 40_000), paused(MINUTE)).found).toEqual(["guard"])
    expect(told(asked(MINUTE), asked(null, 40_000), paused(MINUTE)).found).toEqual(["guard"])
  })

  it("sees a guard that ends before it is due, or leaves a bot active", () => {
    expect(told(asked(MINUTE), ended(MINUTE - 1)).found).toEqual(["guard"])
    expect(told(asked(MINUTE), ended(MINUTE)).found).toEqual(["dead_man"])
  })

  it("sees a bot that commits, and an end, long after a guard was due", () => {
    for (const [elapsed, found] of [
      [2 * MINUTE, []],
      [2 * MINUTE + 1, ["dead_man"]]
    ] as const) {
      const late = told(asked(MINUTE)).count(granted, budgeted).tell(decided)
      late.elapsed = elapsed
      expect(late.commit().found).toEqual([...found])
      late.found.length = 0
      late.bots.end(() => 0n)
      expect(late.found.filter((rule) => rule === "dead_man")).toEqual([...found])
    }
  })

  it("sees a bot that stays active after all were to be paused, but none that was resumed meanwhile", () => {
    const botCase = told()
    const left = botCase.bots.pausing("cmp_1")
    left()
    expect(botCase.found).toEqual(["kill_switch"])
    const again = told()
    const done = again.bots.pausing("cmp_1")
    again.tell({ ...lifecycle("BotPaused"), at: FEBRUARY } as BotEvent, resumed)
    done()
    expect(again.found).toEqual([])
  })
})
