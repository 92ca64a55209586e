import fc from "fast-check"
import { createHash } from "node:crypto"
import { describe, expect, it } from "bun:test"
import { BUCKETS, bucketOf, StateSum } from "../../../engine/replay/StateSum.ts"
import { STATE_COLUMNS, STATE_TABLES, type StateRow } from "../../../engine/replay/StateTable.ts"
import { property } from "../../lib/Property.ts"

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest()

const anyRow: fc.Arbitrary<StateRow> = fc
  .constantFrom(...STATE_TABLES)
  .chain((table) =>
    fc
      .array(fc.option(fc.string()), { minLength: STATE_COLUMNS[table].length, maxLength: STATE_COLUMNS[table].length })
      .map((values) => ({ table, values }))
  )

const sumOf = (rows: ReadonlyArray<StateRow>): StateSum => {
  const sum = new StateSum(sha256)
  for (const row of rows) sum.add(row)
  return sum
}

const anyRows = fc.uniqueArray(anyRow, { selector: ({ values }) => values[0], maxLength: 20 })

describe("StateSum", () => {
  it("is the same in any order", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const [one, other] = [sumOf(rows), sumOf(rows.toReversed())]
        expect(other.hash).toBe(one.hash)
        expect(one.differences(other).size).toBe(0)
      }),
      property(4)
    )
  })

  it("differs by any value of any row, in that row's part alone", () => {
    fc.assert(
      fc.property(anyRow, anyRows, fc.nat(), (row, others, at) => {
        const index = 1 + (at % (row.values.length - 1))
        const changed = { ...row, values: row.values.map((value, place) => (place === index ? `${value}!` : value)) }
        const [one, other] = [sumOf([row, ...others]), sumOf([...others, changed])]
        expect(other.hash).not.toBe(one.hash)
        expect([...one.differences(other)]).toEqual([[row.table, new Set([bucketOf(row)])]])
      }),
      property(4)
    )
  })

  it("counts rows, and puts each in one part by its key", () => {
    const row: StateRow = { table: "ledger_accounts", values: ["a/USD/wallet", "1", "0", "false"] }
    const sum = sumOf([row, { table: "ledger_accounts", values: ["b/USD/wallet", "0", "0", "false"] }])
    expect([sum.count("ledger_accounts"), sum.count("funds")]).toEqual([1, 0])
    expect(bucketOf(row)).toBeLessThan(BUCKETS)
    expect(bucketOf({ ...row, values: ["a/USD/wallet", "2", "2"] })).toBe(bucketOf(row))
  })
})
