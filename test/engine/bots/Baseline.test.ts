import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { nothing, random } from "../../../engine/bots/Baseline.ts"
import { evaluate } from "../../../engine/bots/Evaluation.ts"
import { inputs } from "../../lib/BotArbitraries.ts"
import { property } from "../../lib/Property.ts"

describe("a baseline", () => {
  it("that buys nothing commits to nothing", () => {
    fc.assert(
      fc.property(inputs, (input) => expect(nothing(input).code).toBe("roi_too_low")),
      property()
    )
  })

  it("that draws bids what the arena takes, with the strategy's own size", () => {
    fc.assert(
      fc.property(
        inputs,
        fc.nat(999_999),
        fc.nat(1_000_000),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (input, drawn, rate, part) => {
          const policy = random((bound) => (bound === 1_000_000 ? drawn : Math.floor(part * bound)), rate)
          const { bid, code, exitPrice, quantity } = policy(input)
          const { entryPrice } = input.order
          expect(quantity).toBe(evaluate(input).quantity)
          expect(code === "commit").toBe(drawn < rate && quantity > 0n)
          expect(bid >= entryPrice && 50n * (bid - entryPrice) <= entryPrice && exitPrice > bid).toBe(true)
        }
      ),
      property()
    )
  })
})
