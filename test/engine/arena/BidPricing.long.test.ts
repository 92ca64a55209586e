import { describe, expect, it } from "bun:test"
import { atThePrice, fixedBids, overbidding, study, type StudyCase, withForesight } from "../../lib/BidStudy.ts"
import { textOf } from "../../tidy/Source.ts"

const ORDERS = 20_000
const SEED = 12

/** The market maker's discount of the study, in basis points. */
const DISCOUNT = 5

/** What a mean over {@link ORDERS} may be off by chance, in basis points: four standard errors. */
const BY_CHANCE = 0.5

const TIMEOUT = 240_000

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

const results = new Map<string, ReturnType<typeof study>>()

const resultOf = (given: StudyCase) => {
  const key = JSON.stringify(given, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
  const known = results.get(key) ?? study(given, ORDERS, SEED)
  results.set(key, known)
  return known
}

const expectSound = (given: StudyCase) => {
  const result = resultOf(given)
  expect(result.filled).toBe(ORDERS)
  expect(result.isBounded).toBe(true)
  expect(result.mostBelow).toBeLessThanOrEqual(DISCOUNT)
  expect(result.makerCost).toBeLessThanOrEqual(DISCOUNT + BY_CHANCE)
  return result
}

describe("over many orders of the real engine", () => {
  it.each(upTo(8))(
    "%i that know nothing and bid at the price win every order between them, and lose nothing by it",
    (count) => {
      const { uninformedGain } = expectSound(atThePrice(count))
      expect(uninformedGain).toBeGreaterThan(-2)
      expect(uninformedGain).toBeLessThan(DISCOUNT + 2)
    },
    TIMEOUT
  )

  it.each(upTo(7))(
    "one that foresees a third of the move earns by it against %i that foresee nothing",
    (others) => {
      expect(expectSound(withForesight(others)).informedGain).toBeGreaterThan(6)
    },
    TIMEOUT
  )

  const shown = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(1).replace(/^-0\.0$/, "0.0"))

  const row = (name: string, given: StudyCase): string => {
    const { filled, informedGain, makerCost, uninformedGain } = resultOf(given)
    const part = `${((100 * filled) / ORDERS).toFixed(0)} %`
    return `| ${[name, part, ...[uninformedGain, informedGain, makerCost].map(shown)].join(" | ")} |`
  }

  it(
    "they do as the table of the documentation says",
    () => {
      const rows = [
        row("one at the price", atThePrice(1)),
        row("two at the price", atThePrice(2)),
        row("eight at the price", atThePrice(8)),
        row("one who foresees, one at the price", withForesight(1)),
        row("one who foresees, seven at the price", withForesight(7)),
        row("one who foresees, alone", withForesight(0)),
        row("two who bid 0.2 % above the price", overbidding(2, 2_000)),
        row("eight at the price, before bids floated", fixedBids(8))
      ]
      const table = /\| who bids \|[^\n]*\n\|[-| ]*\n((?:\|[^\n]*\n)*)/.exec(textOf("docs/concepts/arena.md") ?? "")
      expect(table?.[1]?.trimEnd().split("\n")).toEqual(rows)
    },
    TIMEOUT
  )
})
