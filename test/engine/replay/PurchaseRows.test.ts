import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { PurchaseRecord } from "../../../engine/commerce/PurchaseRecord.ts"
import { purchaseRows } from "../../../engine/replay/PurchaseRows.ts"
import { STATE_COLUMNS, type StateTable } from "../../../engine/replay/StateTable.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseScenes.ts"

describe("PurchaseRows", () => {
  it("have a value for each column, and sum up to the order", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const state = stages.at(-1)?.after
        if (state === undefined) return
        const purchase: PurchaseRecord = {
          state,
          userId: "usr_ada",
          updatedAt: 9,
          paidAt: new Map(state.payments.map(({ paymentId }) => [paymentId, 5])),
          fulfilledAt: new Map()
        }
        const rows = purchaseRows(purchase)
        for (const { table, values } of rows) expect(values).toHaveLength(STATE_COLUMNS[table].length)
        const sum = (table: StateTable, column: string) => {
          const columns: ReadonlyArray<string> = STATE_COLUMNS[table]
          const at = columns.indexOf(column)
          return rows
            .filter((row) => row.table === table)
            .reduce((total, { values }) => total + BigInt(values[at] ?? 0), 0n)
        }
        const within = (column: (typeof STATE_COLUMNS.purchase_orders)[number]) => {
          const text = rows[0]?.values[STATE_COLUMNS.purchase_orders.indexOf(column)] ?? "{0}"
          return text
            .slice(1, -1)
            .split(",")
            .reduce((total, value) => total + BigInt(value), 0n)
        }
        const amount = sum("purchase_orders", "amount")
        expect(within("due_amounts")).toBe(amount)
        expect(within("subtotals")).toBe(amount)
        expect(within("received")).toBe(sum("purchase_orders", "paid"))
        expect(sum("purchase_order_payments", "amount")).toBe(sum("purchase_orders", "paid"))
      }),
      property()
    )
  })
})
