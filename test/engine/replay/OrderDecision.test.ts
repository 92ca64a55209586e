import { Result } from "effect"
import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { openOrder } from "../../../engine/arena/OrderLifecycle.ts"
import { decideSubmission, NOTHING_EARLIER } from "../../../engine/arena/Submission.ts"
import { decideAgain } from "../../../engine/replay/OrderDecision.ts"
import { order, OPENING, submission, terms, usd } from "../../lib/ArenaArbitraries.ts"

const submitted = Result.getOrThrow(decideSubmission(order(), submission(), OPENING, null, 1, NOTHING_EARLIER))

const problem = (...given: Parameters<typeof decideAgain>): string => {
  const decided = decideAgain(...given)
  return Result.isFailure(decided) ? decided.failure : "none"
}

describe("OrderDecision", () => {
  it("answers the commands of a decision that is the recorded one", () => {
    const entry = openOrder(terms())
    const opening = decideAgain(undefined, entry.event, encodeEvent(entry.event), undefined)
    expect(opening).toEqual(Result.succeed(entry.commands))
    const data = encodeEvent(submitted.event)
    expect(decideAgain(order(), submitted.event, data, undefined)).toEqual(Result.succeed(submitted.commands))
  })

  it("says where a recorded decision is another one", () => {
    const event = { ...submitted.event, commitment: { ...submitted.event.commitment, collateral: usd("3.80") } }
    expect(problem(order(), event, encodeEvent(event), undefined)).toMatch(
      /expected ….*3810000.*recorded is ….*3800000/
    )
  })

  it("says why an event could not happen", () => {
    const { event } = openOrder(terms())
    const late = { ...submitted.event, at: terms().expiryAt }
    const closed = { _tag: "OrderClosed", at: terms().expiryAt - 1, orderId: terms().orderId } as const
    expect(problem(order(), event, "", undefined)).toContain("opens an order that is there")
    expect(problem(undefined, submitted.event, "", undefined)).toContain("was not opened")
    expect(problem(order(), late, "", undefined)).toContain("WindowClosed")
    expect(problem({ ...order(), lastOrdinal: 1 }, submitted.event, "", undefined)).toContain("ordinal 1 after 1")
    expect(problem(order(), closed, "", undefined)).toContain("was not due")
  })
})
