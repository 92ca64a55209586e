import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { CommitmentHaltSet } from "../../../engine/arena/CommitmentHalt.ts"
import { FaultBoard } from "../../../engine/simulation/FaultBoard.ts"
import { HaltDesk } from "../../../engine/simulation/HaltDesk.ts"
import type { HaltRequestPlan } from "../../../engine/simulation/HaltPlan.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { companyWorld } from "../../lib/CompanyWorld.ts"

const OWNER = { companyId: "cmp_1", userId: "usr_1" }

/** A company's switch, and what is asked of it. */
const asked = (...requests: ReadonlyArray<HaltRequestPlan>) => {
  const { clock, fork, journal, listen, run } = companyWorld()
  const board = new FaultBoard(clock, new SeededRandom(1, "network"))
  const desk = new HaltDesk({ clock, board, journal, served: journal.served, fork, plans: [{ ...OWNER, requests }] })
  listen((recorded) => desk.apply(recorded))
  desk.plan()
  const events = () => journal.events.map(({ data }): CommitmentHaltSet => JSON.parse(data))
  return { desk, events, pass: (millis: number) => run(Effect.sleep(millis)) }
}

describe("HaltDesk", () => {
  it("pulls a switch and lifts it, and says meanwhile on what its company is halted", () => {
    const { desk, events, pass } = asked(
      { at: 1_000, request: { act: "halt" } },
      { at: 5_000, request: { act: "lift" } }
    )
    pass(2_000)
    expect(desk.guardOf("cmp_1")).toEqual({ stream: "commitment-halt/cmp_1", version: 1 })
    pass(5_000)
    expect(desk.guardOf("cmp_1")).toBeUndefined()
    expect(events().map(({ act, by, cause }) => [act, by, cause])).toEqual([
      ["halt", "usr_1", "asked"],
      ["resume", "usr_1", null]
    ])
    expect(Object.fromEntries(desk.answers)).toEqual({ Halted: 1, HaltLifted: 1 })
  })

  it("pulls by itself what nobody asked for again, and not what was called off", () => {
    const { desk, events, pass } = asked(
      { at: 0, request: { act: "haltAfter", seconds: 5 } },
      { at: 3_000, request: { act: "haltAfter", seconds: 5 } },
      { at: 20_000, request: { act: "haltAfter", seconds: 5 } },
      { at: 22_000, request: { act: "haltAfter", seconds: 0 } }
    )
    pass(7_500)
    expect(events().map(({ act }) => act)).toEqual(["deadline", "deadline"])
    pass(3_000)
    expect(events().at(-1)).toMatchObject({ act: "halt", by: null, cause: "deadline", deadlineAt: null })
    pass(30_000)
    expect(events().filter(({ act }) => act === "halt").length).toBe(1)
    expect(desk.isOwing(Number.MAX_SAFE_INTEGER)).toBe(false)
  })

  it("pulls what hangs on a process when another one begins", () => {
    const { desk, events, pass } = asked({ at: 0, request: { act: "arm" } })
    pass(1_000)
    desk.restart()
    pass(1_000)
    expect(events().map(({ act, armed, cause }) => [act, armed, cause])).toEqual([
      ["arm", true, null],
      ["halt", true, "restarted"],
      ["arm", false, null]
    ])
  })

  it("halts a company at the end of a connection that is there, and of none that ended with its process", () => {
    const { desk, events, pass } = asked(
      { at: 0, request: { act: "arm" } },
      { at: 2_000, request: { act: "disconnect" } },
      { at: 4_000, request: { act: "arm" } },
      { at: 9_000, request: { act: "disconnect" } }
    )
    pass(6_000)
    desk.restart()
    pass(10_000)
    expect(events().map(({ act, armed, by, cause }) => [act, armed, by, cause])).toEqual([
      ["arm", true, "usr_1", null],
      ["halt", true, "usr_1", "disconnected"],
      ["arm", false, "usr_1", null],
      ["arm", true, "usr_1", null],
      ["halt", true, null, "restarted"],
      ["arm", false, null, null]
    ])
    expect(Object.fromEntries(desk.answers)).toEqual({ HaltArmed: 2, Disconnected: 1, NoConnection: 1 })
  })
})
