import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  agrees,
  type CustodyEntry,
  custodyReference,
  type Period,
  type Reconciliation,
  Reconciler,
  type StatementRow
} from "../../../engine/ledger/Reconciliation.ts"
import { type Amount, fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const PERIOD: Period = { from: 100, until: 200 }

const amount = fc.constantFrom(-2n, -1n, 1n, 2n, 3n).map(fromUnits)
const reference = fc.constantFrom("a", "b", "c")

const rows = fc
  .array(fc.record({ reference, amount }), { maxLength: 8 })
  .map((found) => found.map((one, at): StatementRow => ({ ...one, line: at + 2, day: 100 })))

const entries = fc
  .array(fc.record({ reference, amount, at: fc.constantFrom(99, 100, 199, 200) }), { maxLength: 8 })
  .map((found) => found.map((one, at): CustodyEntry => ({ ...one, id: `posting ${at}`, purpose: "mint" })))

const reconciled = (of: ReadonlyArray<StatementRow>, against: ReadonlyArray<CustodyEntry>): Reconciliation => {
  const reconciler = new Reconciler(of, PERIOD)
  for (const entry of against) reconciler.take(entry)
  return reconciler.result()
}

const counts = (one: Reconciliation) => ({
  matched: one.matched,
  differing: one.differing.length,
  duplicateRows: one.duplicateRows.length,
  duplicateEntries: one.duplicateEntries.length,
  unknownRows: one.unknownRows.length,
  missingRows: one.missingRows.length
})

/** The same by counting equal amounts. */
const naive = (of: ReadonlyArray<StatementRow>, against: ReadonlyArray<CustodyEntry>) => {
  const total = { matched: 0, differing: 0, duplicateRows: 0, duplicateEntries: 0, unknownRows: 0, missingRows: 0 }
  for (const name of ["a", "b", "c"]) {
    const mine = of.filter((row) => row.reference === name)
    const theirs = against.filter((entry) => entry.reference === name && (mine.length > 0 || isWithin(entry)))
    let [restOfMine, restOfTheirs] = [0, 0]
    for (const units of [-2n, -1n, 1n, 2n, 3n]) {
      const [r, e] = [mine, theirs].map((side) => side.filter((one) => one.amount === units).length) as [number, number]
      const same = Math.min(r, e)
      total.matched += same
      if (same > 0) {
        total.duplicateRows += r - same
        total.duplicateEntries += e - same
      } else {
        restOfMine += r
        restOfTheirs += e
      }
    }
    const pairs = Math.min(restOfMine, restOfTheirs)
    total.differing += pairs
    total.unknownRows += restOfMine - pairs
    total.missingRows += restOfTheirs - pairs
  }
  return total
}

const isWithin = ({ at }: CustodyEntry) => at >= PERIOD.from && at < PERIOD.until

const sum = (found: ReadonlyArray<{ readonly amount: Amount }>): bigint =>
  found.reduce((total, one) => total + one.amount, 0n)

describe("A reconciliation", () => {
  it("finds what counting finds", () => {
    fc.assert(
      fc.property(rows, entries, (of, against) => {
        expect(counts(reconciled(of, against))).toEqual(naive(of, against))
      }),
      property()
    )
  })

  it("explains the difference of the totals whole, and accounts for every row and entry once", () => {
    fc.assert(
      fc.property(rows, entries, (of, against) => {
        const found = reconciled(of, against)
        const { duplicateEntries, duplicateRows, differing, ledger, matched, missingRows, statement, unknownRows } =
          found
        const differs = differing.reduce((total, { entry, row }) => total + row.amount - entry.amount, 0n)
        expect(statement.in + statement.out - ledger.in - ledger.out).toBe(
          differs + sum(duplicateRows) + sum(unknownRows) - sum(duplicateEntries) - sum(missingRows)
        )
        expect(statement.in + statement.out).toBe(sum(of))
        expect(statement.count).toBe(matched + differing.length + duplicateRows.length + unknownRows.length)
        expect(ledger.count).toBe(matched + differing.length + duplicateEntries.length + missingRows.length)
        expect(agrees(found)).toBe(ledger.count === matched && statement.count === matched)
      }),
      property()
    )
  })

  it("finds the same in any order", () => {
    const shuffled = <A>(of: fc.Arbitrary<ReadonlyArray<A>>) =>
      of.chain((found) => fc.tuple(fc.constant(found), fc.shuffledSubarray([...found], { minLength: found.length })))
    fc.assert(
      fc.property(shuffled(rows), shuffled(entries), ([of, ofElse], [against, againstElse]) => {
        expect(counts(reconciled(ofElse, againstElse))).toEqual(counts(reconciled(of, against)))
      }),
      property()
    )
  })

  it("agrees with a statement that was made of the ledger", () => {
    fc.assert(
      fc.property(entries, (against) => {
        const inside = against.filter(isWithin)
        const made = inside.map((entry, at): StatementRow => ({ ...entry, line: at, day: 100 }))
        const outside = against.filter(
          (entry) => !isWithin(entry) && made.every((row) => row.reference !== entry.reference)
        )
        expect(agrees(reconciled(made, [...inside, ...outside]))).toBe(true)
      }),
      property()
    )
  })
})

describe("A posting's reference", () => {
  const known = [
    ["mint/reference/WIRE-2026.11:7", "WIRE-2026.11:7"],
    ["mint/0123abcd", "mint/0123abcd"],
    ["mint/starting/usr_1/USD", "mint/starting/usr_1/USD"],
    ["capital/platform/USD/fx_desk/working_capital", "capital/platform/USD/fx_desk/working_capital"],
    ["withdrawal/wdr_1", "wdr_1"],
    ["transfer/usr_1/rent-11", "rent-11"],
    ["transfer/usr_1/rent-11/paid", "rent-11"],
    ["payment/pay_1", "pay_1"],
    ["payment/pay_1/refund/ref_2", "ref_2"],
    ["payment/pay_1/dispute/2", "pay_1"],
    ["something/else", "something/else"]
  ] as const
  for (const [id, expected] of known) {
    it(`of ${id} is ${expected}`, () => {
      expect(custodyReference(id)).toBe(expected)
    })
  }
})
