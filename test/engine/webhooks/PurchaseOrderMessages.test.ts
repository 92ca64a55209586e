import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { purchaseOrderStream } from "../../../engine/commerce/PurchaseOrder.ts"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { viewFor } from "../../../engine/commerce/PurchaseOrderView.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { paymentAccount } from "../../../engine/payments/Payment.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { orderIn } from "../../../engine/webhooks/PurchaseOrderMessages.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { statusOf } from "../../../engine/commerce/PurchaseOrder.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"
import { runs } from "../../lib/Property.ts"
import { outlineOf, messagesOf, wrongWith } from "../../lib/RenderedMessages.ts"

const BUYER = "cmp_example0buyer0000000000000"
const SELLER = "cmp_example0seller000000000000"

const tellLast = (events: ReadonlyArray<PurchaseOrderEvent>) => {
  const event = events.at(-1)
  if (event === undefined) return []
  const orderId = event._tag === "PurchaseOrderPlaced" ? event.terms.orderId : event.orderId
  return messagesOf(event, { [purchaseOrderStream(orderId)]: events })
}

/** An example whose payments come from the buyer's wallet at once. */
const fromWallet = (events: ReadonlyArray<PurchaseOrderEvent>): ReadonlyArray<PurchaseOrderEvent> =>
  events.map((event) =>
    event._tag === "PurchaseOrderPaid"
      ? { ...event, payment: { ...event.payment, from: walletOf("usr_1", "USD") } }
      : event
  )

/** The sellers that hear of an event: of a reminder none, of what is overdue those that have something of it to get. */
const sellersOf = (event: PurchaseOrderEvent, events: ReadonlyArray<PurchaseOrderEvent>): ReadonlyArray<string> => {
  const order = recordOf(events)
  const sellers = order?.state.terms.sellers.map(({ sellerId }) => sellerId) ?? []
  switch (event._tag) {
    case "PurchaseOrderFulfilled":
      return [event.companyId]
    case "PurchaseOrderPaymentDue":
      return []
    case "PurchaseOrderOverdue":
      return sellers.filter((sellerId) => {
        const own = order === undefined ? [] : viewFor(order, sellerId).state.terms.schedule
        return (own.find(({ number }) => number === event.instalment)?.amount ?? ZERO) > ZERO
      })
    default:
      return sellers
  }
}

const example = (type: keyof typeof EXAMPLE_EVENTS) => EXAMPLE_EVENTS[type].events as ReadonlyArray<PurchaseOrderEvent>

describe("What is told of an order's event", () => {
  it("goes to the buyer and each seller that it concerns, of whatever lives, as the table and the schemas say", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        for (const [index, { event }] of stages.entries()) {
          const events = stages.slice(0, index + 1).map((stage) => stage.event)
          const messages = tellLast(events)
          expect(wrongWith(event, messages)).toEqual([])
          const ofOrder = messages.filter(({ type }) => type.startsWith("order."))
          expect(ofOrder.map(({ companyId }) => companyId)).toEqual([...new Set(["ada", ...sellersOf(event, events)])])
        }
      }),
      { numRuns: runs() }
    )
  })

  it("says its status as the order's state has it", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        for (const [index, { after }] of stages.entries()) {
          const [first] = tellLast(stages.slice(0, index + 1).map((stage) => stage.event))
          expect(first?.object()).toMatchObject({ id: "pur_1", company_id: "ada", status: statusOf(after) })
        }
      }),
      { numRuns: runs() }
    )
  })

  it("is an update as long as something is owed, or another seller has to deliver", () => {
    expect(outlineOf(tellLast(example("order.updated")))).toEqual([
      `order.updated to ${BUYER}`,
      `order.updated to ${SELLER}`
    ])
    expect(outlineOf(tellLast(example("order.paid")))).toEqual([`order.paid to ${BUYER}`, `order.paid to ${SELLER}`])
    expect(tellLast(example("order.fulfilled"))[0]?.type).toBe("order.fulfilled")
  })

  it("reminds the buyer alone, and says to the sellers too that something is overdue", () => {
    const [reminded, ...others] = tellLast(example("order.payment_due"))
    expect([reminded?.type, reminded?.companyId, others]).toEqual(["order.payment_due", BUYER, []])
    expect(reminded?.object()).toMatchObject({ overdue: false })
    const overdue = tellLast(example("order.overdue"))
    expect(outlineOf(overdue)).toEqual([`order.overdue to ${BUYER}`, `order.overdue to ${SELLER}`])
    for (const { object } of overdue) {
      expect(object()).toMatchObject({
        overdue: true,
        payment_terms: { schedule: [{ overdue_since: null }, { overdue_since: "2026-02-28T12:00:00.000Z" }] }
      })
    }
  })

  it("tells of a wallet's payment with it, which no event of its own records", () => {
    expect(outlineOf(tellLast(fromWallet(example("order.paid"))))).toEqual([
      `order.paid to ${BUYER}`,
      `order.paid to ${SELLER}`,
      `payment.captured to ${BUYER}`,
      `payment.captured to ${SELLER}`
    ])
    const [, , refunded] = tellLast(fromWallet(example("order.cancelled")))
    expect(refunded?.type).toBe("payment.refunded")
    expect(refunded?.object()).toMatchObject({ status: "refunded", refunded: 125, captured: 125, applied: 0 })
  })

  it("leaves a provider's payment to its own events", () => {
    const paid = example("order.paid").find(({ _tag }) => _tag === "PurchaseOrderPaid")
    expect(paid?._tag === "PurchaseOrderPaid" && paid.payment.from).toBe(
      paymentAccount("pay_example0000000000000000000")
    )
    expect(tellLast(example("order.cancelled")).map(({ type }) => type)).toEqual(["order.cancelled", "order.cancelled"])
  })

  it("tells nobody where the stream has no placement", () => {
    const last = example("order.paid").slice(-1)
    expect(orderIn(last)).toBeUndefined()
    expect(tellLast(last)).toEqual([])
  })
})
