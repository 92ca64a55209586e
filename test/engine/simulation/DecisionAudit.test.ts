import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { BotDecided } from "../../../engine/bots/BotEvent.ts"
import { type Decision, evaluate, type EvaluationInput } from "../../../engine/bots/Evaluation.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { auditDecision } from "../../../engine/simulation/DecisionAudit.ts"
import type { Wire } from "../../../engine/simulation/NaiveOrder.ts"
import { inputs } from "../../lib/BotArbitraries.ts"
import { property } from "../../lib/Property.ts"

/** What is said of a decision that was made on an input. */
const said = (input: EvaluationInput, decision: Decision): ReadonlyArray<string> => {
  const event: BotDecided = {
    _tag: "BotDecided",
    at: input.at,
    by: null,
    botId: "bot_1",
    decisionId: "dec_1",
    orderId: input.order.orderId,
    dryRun: false,
    input,
    decision,
    charge: null
  }
  const wire: Wire<BotDecided> = JSON.parse(encodeEvent(event))
  const told: Array<string> = []
  auditDecision(wire, (_, detail) => void told.push(detail))
  return told
}

const changes: ReadonlyArray<(decision: Decision) => Partial<Decision>> = [
  ({ quantity }) => ({ quantity: fromUnits(quantity + 1n) }),
  ({ collateral }) => ({ collateral: fromUnits(collateral + 1n) }),
  ({ bid }) => ({ bid: fromUnits(bid - 1n) }),
  ({ exitPrice }) => ({ exitPrice: fromUnits(exitPrice + 1n) }),
  ({ expectedProfit }) => ({ expectedProfit: fromUnits(expectedProfit + 1n) }),
  ({ roiPercent }) => ({ roiPercent: fromUnits(roiPercent - 1n) }),
  ({ fairPrice }) => ({ fairPrice: fairPrice === null ? fromUnits(1n) : fromUnits(fairPrice + 1n) }),
  ({ code }) => ({ code: code === "commit" ? "roi_too_low" : "commit" })
]

describe("DecisionAudit", () => {
  it("makes the very decisions of the engine", () => {
    fc.assert(
      fc.property(inputs, (input) => expect(said(input, evaluate(input))).toEqual([])),
      property()
    )
  })

  it("takes what a module asks for as it is, and sees every number that is another", () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(fromUnits)
    const asked = fc.record({
      module: fc.constant("tide.ts"),
      digest: fc.constant(""),
      proposedPrice: amounts,
      exitPrice: amounts,
      quantity: amounts,
      tolerance: amounts
    })
    fc.assert(
      fc.property(inputs, asked, fc.constantFrom(...changes), (given, bid, change) => {
        const quantity = fromUnits(1n + (bid.quantity % given.order.quantity))
        const input: EvaluationInput = { ...given, prices: [], shade: fromUnits(0n), asked: { ...bid, quantity } }
        const decision = evaluate(input)
        expect(said(input, decision)).toEqual([])
        expect(said(input, { ...decision, ...change(decision) })).not.toEqual([])
        expect(said({ ...input, prices: [fromUnits(1n)] }, decision)).not.toEqual([])
      }),
      property()
    )
  })

  it("sees every number that is another", () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...changes), (input, change) => {
        const decision = evaluate(input)
        expect(said(input, { ...decision, ...change(decision) })).not.toEqual([])
      }),
      property()
    )
  })
})
