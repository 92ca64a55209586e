import { describe, expect, it } from "bun:test"
import { NodeFaults } from "../../../engine/simulation/NodeFaults.ts"
import type { NodeFaultPlan } from "../../../engine/simulation/NodeFaultPlan.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"

const ASKED = { call: "append", server: 1, number: 1, underWay: 1 } as const

/** A board on which faults struck, and what they did. */
const boardAfter = (millis: number, ...faults: ReadonlyArray<NodeFaultPlan>) => {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const board = new NodeFaults(clock, new SeededRandom(1, "board"))
  const done: Array<string> = []
  board.schedule(faults, {
    nodeOf: (target) => (target === "writer" ? undefined : target),
    elect: (node) => void done.push(`elect ${node}`),
    pause: (node, by) => void done.push(`pause ${node} ${by}`),
    restart: (node) => void done.push(`restart ${node}`),
    stepClock: (node, by) => void done.push(`step ${node} ${by}`)
  })
  clock.schedule(millis, () => {})
  while (clock.elapsed < millis) clock.advance()
  return { board, done }
}

const at = { index: 0, at: 10 } as const

const many = <A>(draw: () => A): ReadonlyArray<A> => Array.from({ length: 300 }, draw)

describe("NodeFaults", () => {
  it("does to nodes what strikes them, and nothing to a writer that is not there", () => {
    const { board, done } = boardAfter(
      20,
      { ...at, kind: "elect", nodes: [0, 1] },
      { ...at, kind: "pause", node: 1, for: 5 },
      { ...at, kind: "restart", node: "writer" },
      { ...at, kind: "step_clock", node: 2, by: -3 }
    )
    expect(done.toSorted()).toEqual(["elect 0", "elect 1", "pause 1 5", "step 2 -3"])
    expect(board.struck.length).toBe(3)
  })

  it("loses, delays and leaves unanswered the calls of a node", () => {
    const cut = boardAfter(20, { ...at, kind: "cut_database", node: 1, for: 50 }).board
    expect([cut.fateOf(ASKED, 1).becomes, cut.fateOf(ASKED, 0).becomes]).toEqual(["lost", "done"])
    const late = boardAfter(20, {
      ...at,
      kind: "late",
      call: "append",
      node: 1,
      times: 1,
      by: 9,
      isBegun: true,
      rival: 2,
      after: 3
    })
    expect(late.done).toEqual(["elect 2"])
    expect(late.board.fateOf(ASKED, 1)).toMatchObject({ becomes: "begun", late: 9 })
    expect(late.board.fateOf(ASKED, 1).becomes).toBe("done")
    const { board } = boardAfter(20, { ...at, kind: "lose_answer", node: 1, call: "project", times: 1 })
    expect(board.fateOf(ASKED, 1).becomes).toBe("done")
    expect(board.fateOf({ ...ASKED, call: "project" }, 1).becomes).toBe("unanswered")
  })

  it("spoils what nodes tell each other, until it heals", () => {
    const { board } = boardAfter(
      20,
      { ...at, kind: "cut_nodes", node: 1, for: 50 },
      { ...at, kind: "send_again", for: 50, after: 7 },
      { ...at, kind: "lose_responses", for: 50 },
      { ...at, kind: "spoil_pushes", for: 50 }
    )
    expect([board.isCutOff(0, 1), board.isCutOff(0, 2)]).toEqual([true, false])
    expect(many(() => board.requestArrives()).some(({ length }) => length === 2)).toBe(true)
    expect(many(() => board.responseArrives()).some(({ length }) => length === 0)).toBe(true)
    const pushed = many(() => board.pushed())
    expect(new Set(pushed.map(({ arrivals }) => arrivals.length))).toEqual(new Set([0, 1, 2]))
    expect(pushed.some(({ isAltered }) => isAltered)).toBe(true)
    board.heal()
    expect(board.isCutOff(0, 1)).toBe(false)
    expect(many(() => board.requestArrives()).every(({ length }) => length === 1)).toBe(true)
    expect(many(() => board.pushed()).some(({ isAltered, isLoose }) => isAltered || isLoose)).toBe(false)
  })
})
