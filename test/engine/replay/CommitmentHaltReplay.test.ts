import { expect, it } from "bun:test"
import { Result } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decideHalt, type HaltAsk, NOT_HALTED } from "../../../engine/arena/CommitmentHalt.ts"
import { CommitmentHaltReplay } from "../../../engine/replay/CommitmentHaltReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"

const actor = { companyId: "cmp_1", at: 7, by: "usr_1" }

const stored = (event: object, stream = "commitment-halt/cmp_1") =>
  ({ seq: 1, stream, version: 1, type: "CommitmentHaltSet", data: encodeEvent(event), hash: "" }) as never

it("decides each halt again, and leaves the company's last row", () => {
  const rows: Array<StateRow> = []
  const replay = new CommitmentHaltReplay({ history: false, put: (row) => void rows.push(row) })
  const asks: ReadonlyArray<HaltAsk> = [
    { act: "arm", armed: true },
    { act: "halt", cause: "disconnected" },
    { act: "resume" },
    { act: "halt", cause: "asked" }
  ]
  let state = NOT_HALTED
  for (const ask of asks) {
    const { commands, event } = decideHalt(state, ask, actor)
    expect(replay.decide(event, stored(event))).toEqual(Result.succeed(commands))
    replay.evolve(event, stored(event))
    state = event
  }
  replay.finish()
  expect(rows).toEqual([{ table: "commitment_halts", values: ["cmp_1", "7", "usr_1", "asked", null, "true", "1"] }])
})

it("finds what the engine would not decide, and what stands elsewhere", () => {
  const replay = new CommitmentHaltReplay({ history: false, put: () => {} })
  const { event } = decideHalt(NOT_HALTED, { act: "halt", cause: "asked" }, actor)
  expect(replay.decide(event, stored(event, "commitment-halt/cmp_2"))._tag).toBe("Failure")
  const forged = { ...event, armed: true }
  expect(replay.decide(forged, stored(forged))).toEqual(Result.fail("is not what the engine decides"))
})
