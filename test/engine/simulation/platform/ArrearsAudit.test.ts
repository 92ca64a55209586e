import { describe, expect, it } from "bun:test"
import type { PlatformEvent } from "../../../../engine/replay/PlatformEvent.ts"
import type { Wire } from "../../../../engine/simulation/NaiveOrder.ts"
import { ArrearsAudit } from "../../../../engine/simulation/platform/ArrearsAudit.ts"

const DAY = 86_400_000

const about = (event: object) => event as Wire<PlatformEvent>
const placed = (orderId: string, type = "installments") =>
  about({
    _tag: "PurchaseOrderPlaced",
    terms: {
      orderId,
      buyer: { companyId: "co_1" },
      paymentTerms: { type },
      schedule: [
        { number: 1, dueAt: 30 * DAY },
        { number: 2, dueAt: 60 * DAY }
      ]
    }
  })
const found = (_tag: string, at: number, instalment = 1) => about({ _tag, at, orderId: "pur_1", instalment })
const reminded = (at: number, instalment = 1) => found("PurchaseOrderPaymentDue", at, instalment)
const overdue = (at: number, instalment = 1) => found("PurchaseOrderOverdue", at, instalment)
const paid = about({ _tag: "PurchaseOrderPaid", orderId: "pur_1", payment: { instalments: [1] } })
const cancelled = about({ _tag: "PurchaseOrderCancelled", orderId: "pur_1" })

/** The rules that some events break, and that what is left at a time breaks. */
const broken = (events: ReadonlyArray<Wire<PlatformEvent>>, end = 0) => {
  const rules: Array<string> = []
  const audit = new ArrearsAudit((rule) => void rules.push(rule))
  for (const event of events) audit.event(event)
  audit.end(end)
  return rules
}

describe("ArrearsAudit", () => {
  it("takes reminders in time, what is overdue after its date, and orders once that is paid", () => {
    const events = [placed("pur_1"), reminded(27 * DAY), overdue(30 * DAY + 1), placed("pur_2", "prepaid"), paid]
    expect(broken([...events, placed("pur_3")], 31 * DAY)).toEqual(["unfinished"])
    expect(broken([...events, placed("pur_3"), reminded(58 * DAY, 2)], 30 * DAY)).toEqual([])
    expect(broken([placed("pur_1"), overdue(31 * DAY), cancelled, placed("pur_3")])).toEqual([])
  })

  it("finds an order on credit while something is overdue", () => {
    expect(broken([placed("pur_1"), overdue(31 * DAY), placed("pur_2")])).toEqual(["frozen"])
  })

  it("finds what is told too early, too late, too often, or of what is not owed", () => {
    for (const wrong of [
      [reminded(27 * DAY - 1)],
      [reminded(30 * DAY + 1)],
      [reminded(28 * DAY), reminded(29 * DAY)],
      [overdue(31 * DAY), reminded(29 * DAY)],
      [overdue(30 * DAY)],
      [overdue(31 * DAY), overdue(32 * DAY)],
      [paid, overdue(31 * DAY)],
      [cancelled, reminded(58 * DAY, 2)],
      [overdue(300 * DAY, 3)]
    ]) {
      expect(broken([placed("pur_1"), ...wrong])).toEqual(["overdue"])
    }
  })

  it("finds what nobody found", () => {
    expect(broken([placed("pur_1")], 30 * DAY)).toEqual([])
    expect(broken([placed("pur_1")], 30 * DAY + 1)).toEqual(["unfinished"])
    expect(broken([placed("pur_1"), overdue(31 * DAY)], 60 * DAY)).toEqual([])
  })
})
