import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { PurchaseRecord } from "../../../engine/commerce/PurchaseRecord.ts"
import { purchaseRows, purchases } from "../../../engine/commerce/PurchaseRows.ts"
import { PurchaseReplay } from "../../../engine/replay/PurchaseReplay.ts"
import { STATE_COLUMNS, type StateTable } from "../../../engine/replay/StateTable.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

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
          fulfilledAt: new Map(),
          overdueAt: new Map()
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

  it("follow from each event as a replay derives them", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const events = stages.map(({ event }, index) => ({ event, seq: index + 1 }))
        const rows = rowsOfAggregate(purchases, events)
        expectDerivedRows(
          events.map(({ event, seq }, index) => ({
            event,
            rows: rows[index]!,
            stored: { seq, stream: "purchase/pur_1", version: seq, type: event._tag, data: "", hash: "" }
          })),
          (sink) => new PurchaseReplay(sink)
        )
      }),
      property()
    )
  })

  it("are none of an order that was never placed", () => {
    const cancelled = {
      _tag: "PurchaseOrderCancelled",
      at: 1,
      userId: "u",
      companyId: "c",
      orderId: "o",
      reason: ""
    } as const
    expect(() => rowsOfAggregate(purchases, [{ event: cancelled, seq: 1 }])).toThrow("never placed")
  })
})
