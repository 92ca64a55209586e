import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import * as Power from "../../../engine/money/Power.ts"
import { property } from "../../lib/Property.ts"

/** Reads a decimal of any length to the nearest 10⁻³⁶. */
const decimal = (text: string): Power.Fixed => {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".")
  const digits = BigInt(whole + fraction.padEnd(50, "0").slice(0, 50))
  const units = (digits + 50_000_000_000_000n) / 100_000_000_000_000n
  return Power.fromUnits(text.startsWith("-") ? -units : units)
}

const distance = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b)

const positive = fc.bigInt(1n, 10n ** 46n).map(Power.fromUnits)
const near = fc.bigInt(-5n * Power.ONE, 5n * Power.ONE).map(Power.fromUnits)

describe("Power", () => {
  it("takes logarithms, to the last unit", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["1", "0"],
      ["2", "0.6931471805599453094172321214581765680755"],
      ["10", "2.3025850929940456840179914546843642076011"],
      ["1.5", "0.4054651081081643819780131154643491365720"],
      ["0.75", "-0.2876820724517809274392190059938274315035"],
      ["0.000000000000000000000000000000000001", "-82.8930633477856446246476923686371114736397"]
    ]
    for (const [x, result] of cases) expect(Power.ln(decimal(x))).toBe(decimal(result))
  })

  it("raises e, to the last unit", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["0", "1"],
      ["1", "2.7182818284590452353602874713526624977572"],
      ["0.5", "1.6487212707001281468486507878141635716538"],
      ["-1", "0.3678794411714423215955237701614608674458"],
      ["-50", "0.0000000000000000000001928749847963917783"],
      ["-84", "0"],
      ["-1000", "0"]
    ]
    for (const [x, result] of cases) expect(Power.exp(decimal(x))).toBe(decimal(result))
  })

  it("raises e to large exponents with 50 digits right, and dies beyond 256", () => {
    const e100 = decimal("26881171418161354484126255515800135873611118.7737419224151916086152802870")
    expect(distance(Power.exp(decimal("100")), e100) * 10n ** 50n < e100).toBe(true)
    const e256 =
      1511427665004103542520089665707286507506240898287120716316351114226998030298483483320553622520681838755847626210n
    expect(distance(Power.exp(Power.EXP_MAX), e256 * Power.ONE) * 10n ** 50n < e256 * Power.ONE).toBe(true)
    expect(() => Power.exp(Power.fromUnits(Power.EXP_MAX + 1n))).toThrow(
      new RangeError("exp needs an argument of at most 256")
    )
  })

  it("takes powers, exactly where the result is a decimal", () => {
    const cases: ReadonlyArray<readonly [string, bigint, bigint, string]> = [
      ["1.08", 30n, 365n, "1.0063456136620224823173030751240081533631"],
      ["1.21", 1n, 2n, "1.1"],
      ["2", -3n, 1n, "0.125"],
      ["2", 10n, 1n, "1024"],
      ["1.059", 365n, 365n, "1.059"],
      ["3", 0n, 7n, "1"],
      ["0.25", 1n, 2n, "0.5"]
    ]
    for (const [base, up, down, result] of cases) expect(Power.pow(decimal(base), up, down)).toBe(decimal(result))
  })

  it("dies on the logarithm and power of what is not positive", () => {
    for (const x of [0n, -1n, -Power.ONE]) {
      expect(() => Power.ln(Power.fromUnits(x))).toThrow(new RangeError("ln needs a number above 0"))
      expect(() => Power.pow(Power.fromUnits(x), 1n, 2n)).toThrow(RangeError)
    }
  })

  it("knows the normal distribution, to the last unit", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["0", "0.5"],
      ["0.5", "0.6914624612740131036377046106083377398836"],
      ["1", "0.8413447460685429485852325456320379224779"],
      ["1.96", "0.9750021048517795658634157309591628099775"],
      ["-1.96", "0.0249978951482204341365842690408371900225"],
      ["-6", "0.00000000098658764503769814070086413239803"],
      ["-12", "0.0000000000000000000000000000000017764821"],
      ["13", "1"],
      ["-14", "0"],
      ["4000", "1"]
    ]
    for (const [x, result] of cases) {
      expect(distance(Power.normalCdf(decimal(x)), decimal(result)) <= 1n).toBe(true)
    }
    expect<bigint>(Power.normalCdf(Power.fromUnits(0n))).toBe(Power.ONE / 2n)
  })

  it("has a symmetric, rising distribution", () => {
    fc.assert(
      fc.property(near, fc.bigInt(10n ** 12n, Power.ONE), (x, step) => {
        expect<bigint>(Power.normalCdf(x) + Power.normalCdf(Power.fromUnits(-x))).toBe(Power.ONE)
        expect(Power.normalCdf(Power.fromUnits(x + step)) > Power.normalCdf(x)).toBe(true)
      }),
      property()
    )
  })

  it("undoes the logarithm", () => {
    fc.assert(
      fc.property(positive, (x) => {
        // One unit of the logarithm is x units of the number, and one more for its own rounding.
        expect(distance(Power.exp(Power.ln(x)), x) <= x / Power.ONE + 1n).toBe(true)
      }),
      property()
    )
    fc.assert(
      fc.property(near, (x) => {
        expect(distance(Power.ln(Power.exp(x)), x) <= 200n).toBe(true)
      }),
      property()
    )
  })

  it("turns sums into products", () => {
    fc.assert(
      fc.property(positive, positive, (x, y) => {
        const product = Power.multiply(x, y)
        if (product < 10n ** 30n) return
        expect(distance(Power.ln(product), Power.ln(x) + Power.ln(y)) <= 10n ** 6n + 3n).toBe(true)
      }),
      property()
    )
  })

  it("never falls where its argument rises", () => {
    fc.assert(
      fc.property(near, fc.bigInt(1n, 10n ** 30n), (x, step) => {
        expect(Power.exp(Power.fromUnits(x + step)) >= Power.exp(x)).toBe(true)
      }),
      property()
    )
    fc.assert(
      fc.property(positive, fc.bigInt(1n, 10n ** 30n), (x, step) => {
        expect(Power.ln(Power.fromUnits(x + step)) >= Power.ln(x)).toBe(true)
      }),
      property()
    )
  })

  it("agrees with repeated multiplication", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 6n), (thousandths, power) => {
        const base = Power.ratio(thousandths, 1000n)
        expect<bigint>(Power.pow(base, power, 1n)).toBe((thousandths ** power * Power.ONE) / 1000n ** power)
      }),
      property()
    )
  })

  it("takes integer square roots, rounded down", () => {
    expect([0n, 1n, 2n, 3n, 4n, 8n, 9n, 15n, 16n, 24n].map(Power.integerSquareRoot)).toEqual([
      0n,
      1n,
      1n,
      1n,
      2n,
      2n,
      3n,
      3n,
      4n,
      4n
    ])
    expect(() => Power.integerSquareRoot(-1n)).toThrow(new RangeError("a square root needs a number of at least 0"))
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 80n), (n) => {
        const root = Power.integerSquareRoot(n)
        expect(root * root <= n && n < (root + 1n) * (root + 1n)).toBe(true)
        expect(Power.integerSquareRoot(n * n)).toBe(n)
      }),
      property()
    )
  })

  it("takes square roots of fixed-point numbers", () => {
    expect<bigint>(Power.sqrt(decimal("2"))).toBe(1_414_213_562_373_095_048_801_688_724_209_698_078n)
    expect(Power.sqrt(decimal("0.25"))).toBe(decimal("0.5"))
    expect(() => Power.sqrt(decimal("-1"))).toThrow(RangeError)
  })

  it("multiplies and divides, rounded down", () => {
    expect(Power.multiply(decimal("1.5"), decimal("-2"))).toBe(decimal("-3"))
    expect<bigint>(Power.multiply(Power.fromUnits(1n), decimal("0.5"))).toBe(0n)
    expect<bigint>(Power.multiply(Power.fromUnits(-1n), decimal("0.5"))).toBe(-1n)
    expect<bigint>(Power.divide(decimal("1"), decimal("3"))).toBe(Power.ONE / 3n)
    expect<bigint>(Power.ratio(-1n, 3n)).toBe(-(Power.ONE / 3n) - 1n)
  })
})
