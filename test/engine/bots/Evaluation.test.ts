import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { collateralOf } from "../../../engine/arena/Collateral.ts"
import { limitPrice } from "../../../engine/arena/Commitment.ts"
import {
  type AskedBid,
  type Decision,
  evaluate,
  type EvaluationInput,
  isSpentOn
} from "../../../engine/bots/Evaluation.ts"
import { PRESETS } from "../../../engine/bots/Strategy.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { askedBids, inputs } from "../../lib/BotArbitraries.ts"
import { property } from "../../lib/Property.ts"

const usd = (whole: number) => fromUnits(BigInt(whole) * ONE)

/** Worth 104 by its past, 100 now, and offered at 100. */
const cheap: EvaluationInput = {
  at: 1,
  strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: usd(1_000) },
  order: { orderId: "ord_1", assetType: "fx", entryPrice: usd(100), quantity: usd(10), expiryAt: 10 },
  prices: [110, 110, 110, 110, 100].map(usd),
  freeCollateral: usd(1_000),
  lossBudget: usd(1_000),
  capable: true,
  halted: false,
  shade: fromUnits(0n)
}

const codes: ReadonlyArray<readonly [Partial<EvaluationInput>, Decision["code"]]> = [
  [{}, "commit"],
  [{ at: 10 }, "window_closed"],
  [{ halted: true }, "breaker_open"],
  [{ capable: false }, "not_capable"],
  [{ prices: [usd(100)] }, "price_missing"],
  [{ freeCollateral: fromUnits(0n) }, "collateral_missing"],
  [{ lossBudget: fromUnits(0n) }, "loss_limit"],
  [{ strategy: { ...cheap.strategy, maxCollateralPerTrade: fromUnits(1n) } }, "collateral_cap"],
  [{ order: { ...cheap.order, entryPrice: usd(105) } }, "below_entry"],
  [{ prices: [100, 100, 100, 100, 100].map(usd) }, "roi_too_low"],
  [{ prices: [90, 90, 90, 90, 100].map(usd) }, "below_entry"]
]

describe("an evaluation", () => {
  it("says what it would do, and what it expects", () => {
    expect(evaluate(cheap)).toEqual({
      code: "commit",
      reason: "The expected return reaches the strategy's least return.",
      fairPrice: usd(104),
      bid: usd(104),
      exitPrice: fromUnits(107_810_000n),
      quantity: usd(10),
      collateral: fromUnits(38_100_000n),
      expectedProfit: fromUnits(38_100_000n),
      roiPercent: usd(100)
    })
  })

  it("bids as far above the entry price as it is worth more than its price now, where bids float", () => {
    const order = { ...cheap.order, entryPrice: usd(50), makerDiscount: fromUnits(500n) }
    expect(evaluate({ ...cheap, order })).toMatchObject({
      code: "commit",
      bid: usd(52),
      tolerance: fromUnits(20_000n),
      exitPrice: fromUnits(53_040_000n + 1_905_000n)
    })
    expect(evaluate({ ...cheap, order, shade: fromUnits(50_000n) }).bid).toBe(fromUnits(51_900_000n))
    const dear = { ...order, entryPrice: usd(200) }
    expect(evaluate({ ...cheap, order: dear })).toMatchObject({ code: "commit", bid: usd(208) })
    const worthLess = [90, 90, 90, 90, 100].map(usd)
    expect(evaluate({ ...cheap, order, prices: worthLess })).toMatchObject({ code: "roi_too_low", bid: usd(50) })
    const worthMuch = [400, 400, 400, 400, 100].map(usd)
    expect(evaluate({ ...cheap, order, prices: worthMuch }).bid).toBe(usd(55))
  })

  it("has one reason for each case", () => {
    for (const [changed, code] of codes) expect(evaluate({ ...cheap, ...changed }).code).toBe(code)
  })

  it("never asks for more than order, cap, free collateral and loss budget allow", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { collateral, quantity } = evaluate(input)
        const { freeCollateral, lossBudget, order, strategy } = input
        expect(quantity >= 0n && quantity <= order.quantity).toBe(true)
        for (const limit of [freeCollateral, lossBudget, strategy.maxCollateralPerTrade]) {
          expect(collateral <= limit).toBe(true)
        }
        const more = Result.getOrElse(collateralOf(order.entryPrice, fromUnits(quantity + 1n)), () => usd(0))
        const all = [freeCollateral, lossBudget, strategy.maxCollateralPerTrade].every((limit) => more <= limit)
        expect(quantity === order.quantity || !all).toBe(true)
      }),
      property()
    )
  })

  it("commits only to what the arena takes, at a return that the strategy wants", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { bid, code, exitPrice, expectedProfit, fairPrice, quantity, roiPercent, tolerance } = evaluate(input)
        const { entryPrice, expiryAt, makerDiscount } = input.order
        const limit = limitPrice(bid, tolerance ?? ZERO)
        expect(bid >= entryPrice && 10n * (bid - entryPrice) <= entryPrice && exitPrice > limit).toBe(true)
        if (code !== "commit") return
        expect(input.capable && !input.halted && input.at < expiryAt && quantity > 0n).toBe(true)
        expect(expectedProfit > 0n && roiPercent >= input.strategy.minRoiPct).toBe(true)
        const basis = makerDiscount === undefined ? entryPrice : input.prices.at(-1)!
        expect(fairPrice !== null && bid * basis <= entryPrice * fairPrice).toBe(true)
      }),
      property()
    )
  })

  it("is the same for the same input, and keeps its profit within its collateral", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = evaluate(input)
        const { collateral, expectedProfit } = decision
        expect(evaluate(structuredClone(input))).toEqual(decision)
        expect(expectedProfit <= collateral && expectedProfit >= -collateral).toBe(true)
      }),
      property()
    )
  })
})

/** As a module asks for it: 2 % above what is asked, with the profit at 10 % above. */
const asked: AskedBid = {
  module: "my.ts",
  digest: "00".repeat(32),
  proposedPrice: usd(102),
  exitPrice: usd(110),
  quantity: usd(5),
  tolerance: fromUnits(10_000n)
}

const askedCodes: ReadonlyArray<readonly [Partial<EvaluationInput>, Decision["code"]]> = [
  [{}, "commit"],
  [{ prices: [] }, "commit"],
  [{ at: 10 }, "window_closed"],
  [{ halted: true }, "breaker_open"],
  [{ capable: false }, "not_capable"],
  [{ freeCollateral: usd(19) }, "collateral_missing"],
  [{ lossBudget: usd(19) }, "loss_limit"],
  [{ strategy: { ...cheap.strategy, maxCollateralPerTrade: usd(19) } }, "collateral_cap"]
]

describe("a bid that a module asks for", () => {
  it("is taken as it is, or is beyond a limit", () => {
    expect(evaluate({ ...cheap, asked })).toEqual({
      code: "commit",
      reason: "The bot's module asks for this bid.",
      fairPrice: null,
      bid: usd(102),
      exitPrice: usd(110),
      quantity: usd(5),
      collateral: fromUnits(19_050_000n),
      expectedProfit: fromUnits(19_050_000n),
      roiPercent: usd(100),
      tolerance: fromUnits(10_000n)
    })
    for (const [changed, code] of askedCodes) expect(evaluate({ ...cheap, asked, ...changed }).code).toBe(code)
  })

  it("is committed only where order, cap, free collateral and loss budget allow it, by no other number", () => {
    fc.assert(
      fc.property(inputs, askedBids, (input, bid) => {
        const decision = evaluate({ ...input, asked: bid })
        const { bid: price, code, collateral, exitPrice, quantity, tolerance } = decision
        expect([price, exitPrice, quantity, tolerance]).toEqual([
          bid.proposedPrice,
          bid.exitPrice,
          bid.quantity,
          bid.tolerance
        ])
        const { at, capable, freeCollateral, halted, lossBudget, order, strategy } = input
        const isWithin = [freeCollateral, lossBudget, strategy.maxCollateralPerTrade].every((max) => collateral <= max)
        expect(code === "commit").toBe(isWithin && capable && !halted && at < order.expiryAt)
        expect(evaluate({ ...input, asked: bid, prices: [], shade: ZERO })).toEqual(decision)
      }),
      property()
    )
  })

  it("says that nothing can be lost any more only where the smallest quantity is too much", () => {
    const input = { ...cheap, asked, lossBudget: usd(19) }
    expect(isSpentOn(input, evaluate(input))).toBe(false)
    const spent = { ...input, lossBudget: ZERO }
    expect(isSpentOn(spent, evaluate(spent))).toBe(true)
  })
})
