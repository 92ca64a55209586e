import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { paymentRow, refundRow } from "../../../engine/replay/PaymentRows.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { paymentSteps, playAll } from "../../lib/PaymentGames.ts"
import { property } from "../../lib/Property.ts"

describe("PaymentRows", () => {
  it("have a value for each column, and refund no more than was captured", () => {
    fc.assert(
      fc.property(paymentSteps, (steps) => {
        for (const [id, state] of playAll(steps).payments) {
          const { table, values } = paymentRow(state, 9)
          expect(values).toHaveLength(STATE_COLUMNS[table].length)
          const value = (column: string) =>
            BigInt(values[(STATE_COLUMNS.payments as ReadonlyArray<string>).indexOf(column)] ?? 0)
          expect(value("refunded") + value("refunding") <= value("captured")).toBe(true)
          expect(value("applied") <= value("captured")).toBe(true)
          for (const refund of state.refunds.values()) {
            expect(refundRow(id, refund).values).toHaveLength(STATE_COLUMNS.payment_refunds.length)
          }
        }
      }),
      property(2)
    )
  })
})
