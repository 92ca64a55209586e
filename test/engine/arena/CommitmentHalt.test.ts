import { describe, expect, it } from "bun:test"
import {
  askOf,
  commitmentHaltStream,
  type CommitmentHalt,
  decideHalt,
  HALT_CAUSES,
  type HaltAsk,
  NOT_HALTED,
  decodeCommitmentHalt
} from "../../../engine/arena/CommitmentHalt.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { commitmentGateOf } from "../../../engine/ledger/Funding.ts"
import { property } from "../../lib/Property.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import fc from "fast-check"

const ask: fc.Arbitrary<HaltAsk> = fc.oneof(
  fc.record({ act: fc.constant("halt" as const), cause: fc.constantFrom(...HALT_CAUSES) }),
  fc.constant({ act: "resume" as const }),
  fc.record({ act: fc.constant("deadline" as const), deadlineAt: fc.option(fc.nat()) }),
  fc.record({ act: fc.constant("arm" as const), armed: fc.boolean() })
)

describe("A halt of a company's commitments", () => {
  it("stands in a stream of the company's own", () => {
    expect(commitmentHaltStream("cmp_1")).toBe("commitment-halt/cmp_1")
  })

  it("closes its gate on the ledger from a halt to the next lift, and tells the whole state with each act", () => {
    fc.assert(
      fc.property(fc.array(ask, { maxLength: 30 }), (asks) => {
        const book = new Book()
        let state: CommitmentHalt = NOT_HALTED
        let isHalted = false
        for (const [at, next] of asks.entries()) {
          const { commands, event } = decideHalt(state, next, { companyId: "cmp_1", at, by: null })
          expect(book.apply(commands)._tag).toBe("Success")
          expect(askOf(event)).toEqual(next)
          if (next.act === "halt") isHalted = true
          if (next.act === "resume") isHalted = false
          expect(event.halted !== null).toBe(isHalted)
          expect(book.account(commitmentGateOf("cmp_1")).closed).toBe(isHalted)
          if (next.act === "halt") expect(event.halted).toEqual({ at, by: null, cause: next.cause })
          if (next.act === "deadline") expect(event.deadlineAt).toBe(next.deadlineAt)
          if (next.act === "halt" && next.cause === "deadline") expect(event.deadlineAt).toBeNull()
          if (next.act === "arm") expect(event.armed).toBe(next.armed)
          state = event
        }
      }),
      property()
    )
  })
})

it("reads a halt back as it was recorded, and nothing else", () => {
  const actor = { companyId: "cmp_1", at: 7, by: "usr_1" }
  const { event } = decideHalt(NOT_HALTED, { act: "halt", cause: "disconnected" }, actor)
  const { event: lifted } = decideHalt(event, { act: "resume" }, actor)
  for (const one of [event, lifted]) expect(decodeCommitmentHalt(encodeEvent(one))).toEqual(one)
  expect(() => decodeCommitmentHalt(encodeEvent({ ...event, act: "pull" }))).toThrow()
})
