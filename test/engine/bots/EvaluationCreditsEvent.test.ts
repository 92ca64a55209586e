import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { decodeEvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const amount = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(fromUnits)
const movement = { at: fc.nat(), companyId: fc.string(), period: fc.constantFrom("2026-11", "2026-12") }

const events: fc.Arbitrary<EvaluationCreditsEvent> = fc.oneof(
  fc.record({
    _tag: fc.constantFrom("CreditsGranted" as const, "CreditsLapsed" as const),
    ...movement,
    credits: amount
  }),
  fc.record({
    _tag: fc.constant("CreditsBought" as const),
    ...movement,
    topUpId: fc.string(),
    botId: fc.string(),
    userId: fc.string(),
    usd: amount,
    credits: amount,
    automatic: fc.boolean()
  }),
  fc.record({
    _tag: fc.constant("CreditBudgetSet" as const),
    ...movement,
    botId: fc.string(),
    times: fc.nat(),
    before: amount,
    after: amount
  })
)

describe("the codec of credits", () => {
  it("reads back what was recorded", () => {
    fc.assert(
      fc.property(events, (event) => {
        expect(decodeEvaluationCreditsEvent(encodeEvent(event))).toEqual(event)
      }),
      property()
    )
  })

  it("refuses other bytes", () => {
    expect(() => decodeEvaluationCreditsEvent('{"_tag":"CreditsHeld","at":1}')).toThrow()
  })
})
