import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Order } from "../../../scripts/credit/CornerSearch.ts"
import { boost, OUTSIDE } from "../../../scripts/credit/MonotoneBoosting.ts"
import { property } from "../../lib/Property.ts"

const ROWS = 4
const COLUMNS = 3
const anyOrder = fc.constantFrom<Order>("rising", "falling")
const anyRecords = fc.array(
  fc.record({ cell: fc.integer({ min: OUTSIDE, max: ROWS * COLUMNS - 1 }), paidBack: fc.boolean() }),
  { minLength: 1, maxLength: 60 }
)
const settings = { rounds: 30, rate: 0.3, ridge: 1, least: 0.2 }

/** One record of each outcome keeps the odds finite. */
const withBoth = (records: ReadonlyArray<{ readonly cell: number; readonly paidBack: boolean }>) => [
  ...records,
  { cell: OUTSIDE, paidBack: true },
  { cell: OUTSIDE, paidBack: false }
]

const fit = (
  records: ReadonlyArray<{ readonly cell: number; readonly paidBack: boolean }>,
  first: Order,
  second: Order
) =>
  boost(
    [
      {
        shape: { first: { size: ROWS, order: first }, second: { size: COLUMNS, order: second } },
        cells: Int16Array.from(records, ({ cell }) => cell)
      }
    ],
    records.map(({ paidBack }) => paidBack),
    settings
  )

describe("boost", () => {
  it("keeps the order of both axes whatever the records say", () => {
    fc.assert(
      fc.property(anyRecords, anyOrder, anyOrder, (records, first, second) => {
        const table = fit(withBoth(records), first, second).tables[0]!
        for (let row = 0; row < ROWS; row++) {
          for (let column = 0; column < COLUMNS; column++) {
            const here = table[row * COLUMNS + column]!
            const below = row + 1 < ROWS ? table[(row + 1) * COLUMNS + column]! : here
            const right = column + 1 < COLUMNS ? table[row * COLUMNS + column + 1]! : here
            expect(first === "rising" ? below - here : here - below).toBeGreaterThan(-1e-12)
            expect(second === "rising" ? right - here : here - right).toBeGreaterThan(-1e-12)
          }
        }
      }),
      property()
    )
  })

  it("lowers the loss of its records", () => {
    const lossOf = (logOdds: number, paidBack: boolean) => Math.log1p(Math.exp(paidBack ? -logOdds : logOdds))
    fc.assert(
      fc.property(anyRecords, (some) => {
        const records = withBoth(some)
        const { base, tables } = fit(records, "rising", "falling")
        const total = (value: (cell: number) => number) =>
          records.reduce((sum, { cell, paidBack }) => sum + lossOf(base + value(cell), paidBack), 0)
        expect(total((cell) => tables[0]![cell] ?? 0)).toBeLessThanOrEqual(total(() => 0) + 1e-9)
      }),
      property()
    )
  })

  it("finds a corner where only two things together matter", () => {
    const records = Array.from({ length: 600 }, (_, index) => {
      const cell = index % (ROWS * COLUMNS)
      const inCorner = cell >= 2 * COLUMNS && cell % COLUMNS === 2
      return { cell, paidBack: inCorner ? index % 48 !== 2 : index % 5 < 2 }
    })
    const table = fit(records, "rising", "rising").tables[0]!
    expect(table[11]! - table[5]!).toBeGreaterThan(1)
    expect(table[11]! - table[10]!).toBeGreaterThan(1)
    expect(Math.abs(table[5]! - table[0]!)).toBeLessThan(0.3)
  })
})
