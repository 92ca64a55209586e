import fc from "fast-check"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { type AskedBid, type EvaluationInput, MAX_SHADE } from "../../engine/bots/Evaluation.ts"
import { MAX_PERCENT, type Strategy } from "../../engine/bots/Strategy.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { anyDiscount } from "./ArenaArbitraries.ts"

const units = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map(fromUnits)

const money = units(0n, 1_000_000n * ONE)

const strategies: fc.Arbitrary<Strategy> = fc.record({
  riskPreset: fc.constant("custom" as const),
  riskLevel: units(0n, ONE),
  maxLossPct: units(1n, MAX_PERCENT),
  minRoiPct: units(0n, MAX_PERCENT),
  maxCollateralPerTrade: units(1n, 1_000_000n * ONE)
})

/** A base price, and prices within a tenth of it. */
const around = units(1n, 1_000_000n * ONE).chain((base) =>
  fc.record({
    entryPrice: units(base - base / 20n, base + base / 20n).map((price) => (price > 0n ? price : fromUnits(1n))),
    prices: fc.array(
      units(base - base / 10n, base + base / 10n).map((price) => (price > 0n ? price : fromUnits(1n))),
      { maxLength: 80, size: "max" }
    )
  })
)

/** Bids that a module may ask for, whatever the order. */
export const askedBids: fc.Arbitrary<AskedBid> = fc.record({
  module: fc.constant("my.ts"),
  digest: fc.constant("00".repeat(32)),
  proposedPrice: units(1n, 1_000_000n * ONE),
  exitPrice: units(1n, 1_000_000n * ONE),
  quantity: units(1n, 1_000n * ONE),
  tolerance: units(0n, 50_000n)
})

export const inputs: fc.Arbitrary<EvaluationInput> = fc
  .record({
    priced: around,
    strategy: strategies,
    at: fc.integer({ min: 0, max: 20 }),
    assetType: fc.constantFrom(...ASSET_TYPES),
    quantity: units(1n, 1_000n * ONE),
    freeCollateral: money,
    lossBudget: money,
    capable: fc.boolean(),
    halted: fc.boolean(),
    shade: units(0n, MAX_SHADE),
    discount: anyDiscount
  })
  .map(({ assetType, discount, priced: { entryPrice, prices }, quantity, ...rest }) => ({
    ...rest,
    prices,
    order: { orderId: "ord_1", assetType, entryPrice, quantity, expiryAt: 10, ...discount }
  }))
