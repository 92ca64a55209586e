import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { purchaseOrderStream } from "../../../engine/commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { type TableRow, tableOf } from "../../../engine/journal/TableRow.ts"
import { paymentStream } from "../../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../../engine/payments/PaymentEvent.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { orderPayments, paymentRow, refundRow } from "../../../engine/payments/PaymentRows.ts"
import type { FamilyReplay } from "../../../engine/replay/FamilyReplay.ts"
import { PaymentReplay } from "../../../engine/replay/PaymentReplay.ts"
import type { RowSink } from "../../../engine/replay/RowSink.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { paymentSteps, playAll } from "../../lib/PaymentCommands.ts"
import { SELLERS } from "../../lib/PaymentScenario.ts"
import { property } from "../../lib/Property.ts"

type Heard = PaymentEvent | PurchaseOrderEvent

const isPayment = (event: Heard): event is PaymentEvent => event._tag.startsWith("Payment")

const streamOf = (event: Heard): string => {
  if (event._tag === "PaymentCreated") return paymentStream(event.plan.paymentId)
  return "paymentId" in event ? paymentStream(event.paymentId) : purchaseOrderStream("pur_1")
}

/** Without the last event, which no replay derives. */
const unheard = (row: TableRow): ReadonlyArray<TableRow> => {
  if (tableOf(row) !== "payments") return [row]
  if (row._tag !== "Set") return [{ ...row, row: { ...row.row, values: [...row.row.values.slice(0, -1), null] } }]
  const { event_seq: _, ...columns } = row.columns
  return Object.keys(columns).length === 0 ? [] : [{ ...row, columns }]
}

const replayOf = (sink: RowSink): FamilyReplay<Heard> => {
  const replay = new PaymentReplay({
    history: sink.history,
    put: (row, stored) => sink.put(row.table === "payments" ? { ...row, values: [...row.values, null] } : row, stored)
  })
  return {
    decide: (event, stored) => replay.decide(event as PaymentEvent, stored),
    evolve: (event, stored) => (isPayment(event) ? replay.evolve(event, stored) : replay.hear(event, stored))
  }
}

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

  it("follow from each event as a replay derives them, and say which was the last", () => {
    fc.assert(
      fc.property(paymentSteps, (steps) => {
        const game = playAll(steps)
        game.settle()
        for (const id of game.payments.keys()) game.refund(id, SELLERS[0], fromUnits(1n))
        game.settle()
        const events = game.log.map((event, index) => ({ event, seq: index + 1, stream: streamOf(event) }))
        const rows = rowsOfAggregate(orderPayments, events)
        expectDerivedRows(
          events.map(({ event, seq, stream }, index) => ({
            event,
            rows: rows[index]!.flatMap(unheard),
            stored: { seq, stream, version: seq, type: event._tag, data: "", hash: "" }
          })),
          replayOf
        )
        for (const [index, { event, seq }] of events.entries()) {
          if (!isPayment(event)) continue
          const own = rows[index]!.find((row) => tableOf(row) === "payments")
          expect(own?._tag === "Set" ? own.columns["event_seq"] : own?.row.values.at(-1)).toBe(`${seq}`)
        }
      }),
      property()
    )
  })

  it("all hear of what becomes of their order", () => {
    const game = playAll([
      { act: "create", provider: "wallet", capture: "manual" },
      { act: "create", provider: "wallet", capture: "automatic" },
      { act: "payOrder" },
      { act: "cancelOrder" }
    ])
    const events = game.log.map((event, index) => ({ event, seq: index + 1 }))
    const heard = rowsOfAggregate(orderPayments, events).at(-1)!
    expect(heard.map((row) => row._tag === "Set" && [row.key, row.columns["event_seq"]])).toEqual([
      ["pay_1", "4"],
      ["pay_2", "4"],
      ["pay_direct", "4"]
    ])
  })

  it("are none of a payment that was never made", () => {
    const event = { _tag: "PaymentVoided", at: 1, paymentId: "pay_1" } as const
    expect(() => rowsOfAggregate(orderPayments, [{ event, seq: 1 }])).toThrow("never made")
  })
})
