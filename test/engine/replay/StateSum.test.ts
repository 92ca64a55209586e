import fc from "fast-check"
import { createHash } from "node:crypto"
import { describe, expect, it } from "bun:test"
import { BUCKETS, bucketOf, StateSum } from "../../../engine/replay/StateSum.ts"
import {
  HASHED_TABLES,
  hashedRow,
  STATE_COLUMNS,
  STATE_TABLES,
  type StateRow
} from "../../../engine/replay/StateTable.ts"
import { property } from "../../lib/Property.ts"

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** The end of a value that is no other's. */
const CHANGED = " (changed)"

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
        const changed = {
          ...row,
          values: row.values.map((value, place) => (place === index ? `${value}${CHANGED}` : value))
        }
        const [one, other] = [sumOf([row, ...others]), sumOf([...others, changed])]
        const isHashed = hashedRow(changed)?.values.some((value) => value?.endsWith(CHANGED)) === true
        expect(other.hash === one.hash).toBe(!isHashed)
        expect([...one.differences(other)]).toEqual([[row.table, new Set([bucketOf(row)])]])
      }),
      property(4)
    )
  })

  it("hashes what states had at first: the sums of each part of each table, one after the other", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const digest = (text: string) => createHash("sha256").update(text).digest("hex")
        const old = rows.flatMap((row) => hashedRow(row) ?? [])
        const parts = HASHED_TABLES.map((table) => {
          const own = old.filter((row) => row.table === table)
          const sums = Array.from({ length: BUCKETS }, () => 0n)
          for (const { values } of own) {
            const bucket = bucketOf({ table, values })
            const sum = sums[bucket]! + BigInt(`0x${digest(JSON.stringify([table, ...values]))}`)
            sums[bucket] = sum & ((1n << 256n) - 1n)
          }
          return [table, own.length, ...sums.map(String)]
        })
        expect(sumOf(rows).hash).toBe(digest(JSON.stringify(parts)))
      }),
      property(4)
    )
  })

  it("compares an account that is closed with none, which have one hash", () => {
    const closed: StateRow = { table: "ledger_accounts", values: ["a/USD/wallet", "0", "0", "true"] }
    const [one, other] = [sumOf([closed]), sumOf([])]
    expect(one.hash).toBe(other.hash)
    expect([one.count("ledger_accounts"), other.count("ledger_accounts")]).toEqual([1, 0])
    expect(one.differences(other)).toEqual(new Map([["ledger_accounts", new Set([bucketOf(closed)])]]))
  })

  it("counts rows, and puts each in one part by its key", () => {
    const row: StateRow = { table: "ledger_accounts", values: ["a/USD/wallet", "1", "0", "false"] }
    const sum = sumOf([row, { table: "ledger_accounts", values: ["b/USD/wallet", "0", "0", "false"] }])
    expect([sum.count("ledger_accounts"), sum.count("funds")]).toEqual([1, 0])
    expect(bucketOf(row)).toBeLessThan(BUCKETS)
    expect(bucketOf({ ...row, values: ["a/USD/wallet", "2", "2"] })).toBe(bucketOf(row))
  })
})
