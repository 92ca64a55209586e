import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  allocate,
  blendedApy,
  DEFAULT_STRATEGIES,
  InvalidStrategies,
  leadingStrategy,
  makeStrategies,
  payingApy,
  type VaultStrategies,
  type VaultStrategy
} from "../../../engine/arena/VaultStrategy.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const rate = (text: string): Rate.Rate => Result.getOrThrow(Rate.parse(text))

const strategy = (name: string, share: string, apy = "0.05", simulated = false): VaultStrategy => ({
  name,
  apy: rate(apy),
  share: rate(share),
  simulated
})

/** Strategies whose shares are cut from 1 at random places. */
const sets = fc
  .array(fc.tuple(fc.bigInt(0n, Rate.ONE), fc.bigInt(0n, Rate.ONE)), { minLength: 1, maxLength: 6 })
  .map((parts): VaultStrategies => {
    const cuts = parts
      .slice(1)
      .map(([cut]) => cut)
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const made = parts.map(([, apy], n) => ({
      name: `s${n}`,
      apy: Rate.fromUnits(apy),
      share: Rate.fromUnits((cuts[n] ?? Rate.ONE) - (cuts[n - 1] ?? 0n)),
      simulated: n % 2 === 0
    }))
    return Result.getOrThrow(makeStrategies(made))
  })

describe("VaultStrategy", () => {
  it("holds 60 % bills at 4.5 % and 40 % lending at 8 % by default, both simulated", () => {
    expect(DEFAULT_STRATEGIES).toEqual([
      strategy("treasury_bills", "0.6", "0.045", true),
      strategy("stablecoin_lending", "0.4", "0.08", true)
    ])
    expect(makeStrategies(DEFAULT_STRATEGIES)).toEqual(Result.succeed(DEFAULT_STRATEGIES))
  })

  it("blends to 5.9 % in the sandbox and pays nothing in production", () => {
    expect(blendedApy(DEFAULT_STRATEGIES, "sandbox")).toBe(rate("0.059"))
    expect(blendedApy(DEFAULT_STRATEGIES, "production")).toBe(Rate.ZERO)
  })

  it("pays in production what is not simulated", () => {
    const real = strategy("real", "0.5", "0.1")
    const set = Result.getOrThrow(makeStrategies([real, strategy("simulated", "0.5", "0.2", true)]))
    expect([payingApy(real, "sandbox"), payingApy(real, "production")]).toEqual([rate("0.1"), rate("0.1")])
    expect(payingApy(set[1]!, "sandbox")).toBe(rate("0.2"))
    expect(payingApy(set[1]!, "production")).toBe(Rate.ZERO)
    expect(blendedApy(set, "production")).toBe(rate("0.05"))
    expect(blendedApy(set, "sandbox")).toBe(rate("0.15"))
  })

  it("rounds the blend down", () => {
    const set = Result.getOrThrow(
      makeStrategies([strategy("a", "0.5", "0.000000000001"), strategy("b", "0.5", "0.000000000002")])
    )
    expect(blendedApy(set, "sandbox")).toBe(rate("0.000000000001"))
  })

  it("refuses sets that cannot be a vault's, and says why", () => {
    const refused = (set: ReadonlyArray<VaultStrategy>) => Result.getOrThrow(Result.flip(makeStrategies(set)))
    const negative = Rate.fromUnits(-1n)
    const over = Rate.fromUnits(Rate.ONE + 1n)
    const cases: ReadonlyArray<readonly [ReadonlyArray<VaultStrategy>, string]> = [
      [[], "at least one strategy"],
      [[strategy("a", "0.5"), strategy("a", "0.5")], "a different name for each"],
      [[{ ...strategy("a", "1"), apy: negative }], "yields and shares of at least 0"],
      [
        [
          { ...strategy("a", "0"), share: negative },
          { ...strategy("b", "0"), share: over }
        ],
        "yields and shares of at least 0"
      ],
      [[strategy("a", "0.5"), strategy("b", "0.4")], "shares that sum to 1"],
      [[{ ...strategy("a", "0"), share: over }], "shares that sum to 1"]
    ]
    for (const [set, expected] of cases) expect(refused(set)).toEqual(new InvalidStrategies({ expected }))
    expect(Result.isSuccess(makeStrategies([strategy("a", "1", "0"), strategy("b", "0")]))).toBe(true)
  })

  it("allocates by share and gives the rest to the first", () => {
    expect(allocate(DEFAULT_STRATEGIES, fromUnits(100n * ONE))).toEqual([
      { name: "treasury_bills", amount: fromUnits(60n * ONE) },
      { name: "stablecoin_lending", amount: fromUnits(40n * ONE) }
    ])
    expect(allocate(DEFAULT_STRATEGIES, fromUnits(1n)).map(({ amount }) => amount)).toEqual([
      fromUnits(1n),
      fromUnits(0n)
    ])
  })

  it("allocates the total, each within its share", () => {
    fc.assert(
      fc.property(sets, fc.bigInt(0n, 10n * MAX), (set, total) => {
        const parts = allocate(set, fromUnits(total))
        expect(parts.map(({ name }) => name)).toEqual(set.map(({ name }) => name))
        expect(parts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total)
        for (const [n, { amount }] of parts.entries()) {
          const floor = (total * set[n]!.share) / Rate.ONE
          expect(n === 0 ? amount >= floor && amount < floor + BigInt(set.length) : amount === floor).toBe(true)
        }
      }),
      property()
    )
  })

  it("blends between the lowest and the highest yield", () => {
    fc.assert(
      fc.property(sets, (set) => {
        const apy = blendedApy(set, "sandbox")
        expect(set.some((one) => one.apy <= apy + 1n) && set.some((one) => one.apy >= apy)).toBe(true)
        expect(blendedApy(set, "production") <= apy).toBe(true)
      }),
      property()
    )
  })

  it("is led by the largest share, the earlier of equals", () => {
    expect(leadingStrategy(DEFAULT_STRATEGIES).name).toBe("treasury_bills")
    expect(leadingStrategy([strategy("a", "0.4"), strategy("b", "0.6")]).name).toBe("b")
    expect(leadingStrategy([strategy("a", "0.5"), strategy("b", "0.5")]).name).toBe("a")
  })
})
