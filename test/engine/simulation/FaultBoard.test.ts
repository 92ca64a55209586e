import { describe, expect, it } from "bun:test"
import type { Asked } from "../../../engine/simulation/CallFate.ts"
import { FaultBoard, LONGEST_WAIT_MILLIS } from "../../../engine/simulation/FaultBoard.ts"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"

const APPEND: Asked = { call: "append", server: 1, number: 1, underWay: 1 }

const becomes = (board: FaultBoard) => board.fate(APPEND, 5).becomes
const takes = (board: FaultBoard) => board.fate(APPEND, 5).there

/** A board on which these faults strike, and what it did to the world. */
const boardOf = (...faults: ReadonlyArray<FaultPlan>) => {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const board = new FaultBoard(clock, new SeededRandom(1, "network"))
  const done: Array<string> = []
  board.schedule(faults, {
    restart: () => void done.push("restart"),
    closeVault: (closed, onClosed) => {
      done.push(closed ? "closed" : "opened")
      onClosed?.()
    }
  })
  return { board, clock, done, kinds: () => board.struck.map(({ kind }) => kind) }
}

describe("FaultBoard", () => {
  it("knows no fault in a quiet world", () => {
    const { board } = boardOf()
    expect(board.crash()).toBeUndefined()
    expect(becomes(board)).toBe("done")
    expect(board.look()).toEqual({ isStalled: false, factor: 1_000_000 })
    expect([takes(board), board.blinds(), board.messageDelay(), board.duplicateAfter()]).toEqual([
      5,
      false,
      0,
      undefined
    ])
  })

  it("kills the next actor that writes, once, and says so only then", () => {
    const { board, clock } = boardOf({ index: 0, at: 5, kind: "crash_actor", moment: "after" })
    clock.advance()
    expect(board.struck).toEqual([])
    expect([board.crash(), board.crash()]).toEqual(["after", undefined])
    expect(board.struck).toEqual([{ fault: 0, kind: "crash_actor", at: 5, text: "crash actor, moment after" }])
  })

  it("fails as many transactions as planned", () => {
    const { board, clock } = boardOf({ index: 0, at: 1, kind: "fail_journal", half: true, times: 2 })
    clock.advance()
    expect(board.fate({ ...APPEND, call: "load" }, 5)).toEqual({ there: 0, back: 0, becomes: "done" })
    expect([becomes(board), becomes(board), becomes(board)]).toEqual(["unanswered", "unanswered", "done"])
    expect(board.struck.length).toBe(1)
  })

  it("ends what lasts a while, unless a later one goes on", () => {
    const { board, clock } = boardOf(
      { index: 0, at: 0, kind: "slow_journal", for: 10, by: 7 },
      { index: 1, at: 5, kind: "slow_journal", for: 10, by: 9 }
    )
    clock.advance()
    expect(takes(board)).toBe(12)
    clock.advance()
    clock.advance()
    expect([clock.elapsed, takes(board)]).toEqual([10, 14])
    clock.advance()
    expect([clock.elapsed, takes(board)]).toEqual([15, 5])
  })

  it("restarts, sets the clock and closes the vault for a while", () => {
    const { board, clock, done } = boardOf(
      { index: 0, at: 1, kind: "restart" },
      { index: 1, at: 2, kind: "close_vault", for: 3 },
      { index: 2, at: 3, kind: "jump_clock", by: 1_000 }
    )
    while (clock.advance());
    expect(done).toEqual(["restart", "closed", "opened"])
    expect(clock.currentTimeMillisUnsafe()).toBe(1_005)
    expect(board.struck.map(({ fault }) => fault)).toEqual([0, 1, 2])
  })

  it("lets what is aimed strike once its event is about to be written, and no earlier", () => {
    const { board, clock, done } = boardOf(
      { index: 0, at: 0, before: "OrderOpened", kind: "restart" },
      { index: 1, at: 0, before: "OrderOpened", kind: "crash_actor", moment: "waiting" },
      { index: 2, at: 7, before: "OrderClosed", kind: "restart" }
    )
    board.writing(["OrderClosed"])
    expect(clock.advance()).toBe(true)
    expect([done, board.crash(["OrderClosed"]), board.crash()]).toEqual([[], undefined, undefined])
    board.writing(["CommitmentSubmitted", "OrderOpened"])
    expect(done).toEqual([])
    clock.advance()
    expect(done).toEqual(["restart"])
    board.writing(["OrderOpened"])
    expect([clock.advance(), board.cutOff(["OrderOpened"]), board.cutOff(["OrderOpened"])]).toEqual([
      false,
      "waiting",
      undefined
    ])
    board.writing(["OrderClosed"])
    clock.advance()
    expect(board.struck.map(({ fault }) => fault)).toEqual([0, 1, 2])
  })

  it("delays and doubles a part of the messages", () => {
    const { board, clock } = boardOf(
      { index: 0, at: 1, kind: "delay", for: 100, by: 50 },
      { index: 1, at: 2, kind: "duplicate", for: 100, after: 8 }
    )
    clock.advance()
    clock.advance()
    const delays = Array.from({ length: 200 }, () => board.messageDelay())
    expect(delays.filter((delay) => delay > 0).length).toBeGreaterThan(50)
    expect(Math.max(...delays)).toBeLessThan(50)
    expect(new Set(Array.from({ length: 200 }, () => board.duplicateAfter()))).toEqual(new Set([8, undefined]))
  })

  it("tells what lasts once it is felt, and at that moment", () => {
    const { board, clock, kinds } = boardOf(
      { index: 0, at: 1, kind: "stall_oracle", for: 100 },
      { index: 1, at: 2, kind: "spike_oracle", for: 100, factor: 1_200_000 },
      { index: 2, at: 3, kind: "blind_actors", for: 100 },
      { index: 3, at: 4, kind: "slow_journal", for: 100, by: 7 },
      { index: 4, at: 5, kind: "delay", for: 100, by: 50 },
      { index: 5, at: 6, kind: "duplicate", for: 100, after: 8 }
    )
    for (let begun = 0; begun < 6; begun++) clock.advance()
    expect([board.begun.length, kinds()]).toEqual([6, []])
    expect(board.begun.every(({ isFelt }) => !isFelt)).toBe(true)
    // Who finds no prices sees none that are off.
    expect(board.look().isStalled).toBe(true)
    expect(kinds()).toEqual(["stall_oracle"])
    for (const [feel, kind] of [
      [() => board.blinds(), "blind_actors"],
      [() => takes(board), "slow_journal"],
      [() => board.messageDelay(), "delay"],
      [() => board.duplicateAfter(), "duplicate"]
    ] as const) {
      expect(kinds()).not.toContain(kind)
      while (kinds().at(-1) !== kind) feel()
    }
    clock.advance()
    expect([board.look(), kinds().at(-1), clock.elapsed]).toEqual([
      { isStalled: false, factor: 1_200_000 },
      "spike_oracle",
      101
    ])
    expect(board.struck.at(-1)?.at).toBe(101)
    expect(board.begun.every(({ isFelt }) => isFelt)).toBe(true)
  })

  it("tells nothing of what passes before anything feels it", () => {
    const { board, clock, kinds } = boardOf(
      { index: 0, at: 1, kind: "stall_oracle", for: 10 },
      { index: 1, at: 1, kind: "blind_actors", for: 10 },
      { index: 2, at: 1, kind: "spike_oracle", for: 1_000, factor: 1_000_000 }
    )
    for (let timer = 0; timer < 5; timer++) clock.advance()
    expect([board.look().isStalled, board.blinds(), kinds()]).toEqual([false, false, []])
  })

  it("lets what is aimed go on until it is felt, and no longer", () => {
    const aimed = { at: 0, before: "OrderOpened" } as const
    const { board, clock, kinds } = boardOf(
      { ...aimed, index: 0, kind: "stall_oracle", for: 10 },
      { ...aimed, index: 1, kind: "stall_oracle", for: 10_000 },
      { ...aimed, index: 2, kind: "blind_actors", for: 10 }
    )
    board.writing(["OrderOpened"])
    while (clock.elapsed < 10) clock.advance()
    expect([board.begun.length, kinds()]).toEqual([3, []])
    expect([board.look().isStalled, board.look().isStalled]).toEqual([true, true])
    while (clock.elapsed < 10_000) clock.advance()
    expect([board.look().isStalled, kinds()]).toEqual([false, ["stall_oracle", "stall_oracle"]])
    while (clock.advance());
    expect([clock.elapsed, board.blinds(), kinds().length]).toEqual([LONGEST_WAIT_MILLIS, false, 2])
  })

  it("opens the vault again once the last fault that closed it is over", () => {
    const { clock, done } = boardOf(
      { index: 0, at: 1, kind: "close_vault", for: 10 },
      { index: 1, at: 5, kind: "close_vault", for: 2 }
    )
    while (clock.advance());
    expect([done, clock.elapsed]).toEqual([["closed", "closed", "opened"], 11])
  })
})
