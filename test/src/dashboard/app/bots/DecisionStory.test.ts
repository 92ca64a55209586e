import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { Decision, EvaluationInput, evaluate } from "../../../../../engine/bots/Evaluation.ts"
import { type BotDecision, decideAgain, decisionStory } from "../../../../../src/dashboard/app/bots/DecisionStory.ts"
import { askedBids, inputs } from "../../../../lib/BotArbitraries.ts"
import { property } from "../../../../lib/Property.ts"
import fc from "fast-check"

const record = (value: unknown) => value as Readonly<Record<string, unknown>>

/** The decision as the platform answers it. */
const answered = (input: EvaluationInput): BotDecision => {
  const decision = evaluate(input)
  return {
    decision_id: "dec_1",
    order_id: input.order.orderId,
    at: "2026-09-30T12:00:00.000Z",
    dry_run: false,
    should_commit: decision.code === "commit",
    decision_code: decision.code,
    decision_reason: `${decision.code}: ${decision.reason}`,
    credits_charged: 1,
    input: record(Schema.encodeSync(EvaluationInput)(input)),
    decision: record(Schema.encodeSync(Decision)(decision))
  }
}

describe("decideAgain", () => {
  it("decides as the platform did, of whatever was kept", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        expect(decideAgain(answered(input))).toEqual([])
      }),
      property()
    )
  })

  it("decides as the platform did of what a module asked for, and tells that", () => {
    fc.assert(
      fc.property(inputs, askedBids, (input, asked) => {
        const decision = answered({ ...input, prices: [], asked })
        expect(decideAgain(decision)).toEqual([])
        expect(decisionStory(decision).map(({ name }) => name)).toEqual(["Module", "Bid", "Quantity"])
      }),
      property()
    )
  })

  it("names what is another", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = answered(input)
        const changed = { ...decision, decision: { ...decision.decision, quantity: "-1" } }
        expect(decideAgain(changed)).toEqual(["quantity"])
      }),
      property()
    )
  })

  it("says where it cannot read what was kept", () => {
    const unreadable = { input: {}, decision: {} } as BotDecision
    expect([decideAgain(unreadable), decisionStory(unreadable)]).toEqual([undefined, []])
  })
})

describe("decisionStory", () => {
  it("goes from the price to the return, or says that prices were missing", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const names = decisionStory(answered(input)).map(({ name }) => name)
        expect(names).toEqual(
          input.prices.length < 5
            ? ["Price"]
            : ["Price now", "Fair price", "Quantity", "Bid", "Expected profit", "Return"]
        )
      }),
      property()
    )
  })
})
