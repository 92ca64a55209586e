import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { changed, merged, rowKeyOf, type TableRow, tableOf } from "../../../engine/journal/TableRow.ts"
import { rowSteps, RowStore } from "../../lib/RowStore.ts"
import { property } from "../../lib/Property.ts"

const applied = (rows: ReadonlyArray<TableRow>, before: RowStore): ReadonlyMap<string, unknown> => {
  const store = before.copy()
  for (const row of rows) store.apply(row)
  return store.rows
}

describe("merged rows", () => {
  it("leave what all of them do in their order, one for each row, and twice is once", () => {
    fc.assert(
      fc.property(rowSteps, rowSteps, (earlier, later) => {
        const store = new RowStore()
        for (const row of earlier) if (store.takes(row)) store.apply(row)
        const before = store.copy()
        const rows = later.filter((row) => {
          if (!store.takes(row)) return false
          store.apply(row)
          return true
        })
        const one = merged(rows)
        expect(applied(one, before)).toEqual(store.rows)
        expect(new Set(one.map((row) => `${tableOf(row)}/${rowKeyOf(row)}`)).size).toBe(one.length)
        const absolute = one.filter(({ _tag }) => _tag !== "Add")
        expect(applied([...one, ...absolute], before)).toEqual(store.rows)
      }),
      property()
    )
  })

  it("refuse a column that the table has not, and a new row where there is one", () => {
    const row = { table: "funds", values: ["f", "ann", "USD", "ann/USD/wallet", "1"] } as const
    expect(() => changed(row, { colour: "red" })).toThrow("funds has no column colour")
    expect(() =>
      merged([
        { _tag: "Put", row },
        { _tag: "Add", row }
      ])
    ).toThrow("funds has a row f already")
  })
})
