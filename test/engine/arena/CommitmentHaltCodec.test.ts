import { expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decideHalt, NOT_HALTED } from "../../../engine/arena/CommitmentHalt.ts"
import { decodeCommitmentHalt } from "../../../engine/arena/CommitmentHaltCodec.ts"

it("reads a halt back as it was recorded, and nothing else", () => {
  const actor = { companyId: "cmp_1", at: 7, by: "usr_1" }
  const { event } = decideHalt(NOT_HALTED, { act: "halt", cause: "disconnected" }, actor)
  const { event: lifted } = decideHalt(event, { act: "resume" }, actor)
  for (const one of [event, lifted]) expect(decodeCommitmentHalt(encodeEvent(one))).toEqual(one)
  expect(() => decodeCommitmentHalt(encodeEvent({ ...event, act: "pull" }))).toThrow()
})
