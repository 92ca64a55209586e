import { describe, expect, it } from "bun:test"
import { purchaseOrderStream } from "../../../engine/commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { paymentStream } from "../../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../../engine/payments/PaymentEvent.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { PAYMENT_TYPES } from "../../../engine/webhooks/PaymentMessages.ts"
import { outlineOf, messagesOf, wrongWith } from "../../lib/RenderedMessages.ts"

const PAYMENT = "pay_example0000000000000000000"
const ORDER = "pur_example0000000000000000000"
const BUYER = "cmp_example0buyer0000000000000"
const SELLER = "cmp_example0seller000000000000"

const tell = (own: ReadonlyArray<PaymentEvent>, order: ReadonlyArray<PurchaseOrderEvent>) => {
  const event = own.at(-1)
  if (event === undefined) throw new Error("there is no event to tell of")
  const messages = messagesOf(event, { [paymentStream(PAYMENT)]: own, [purchaseOrderStream(ORDER)]: order })
  expect(wrongWith(event, messages)).toEqual([])
  return messages
}

const order = EXAMPLE_EVENTS["order.fulfilled"].events as ReadonlyArray<PurchaseOrderEvent>
const captured = EXAMPLE_EVENTS["payment.captured"].events as ReadonlyArray<PaymentEvent>

const back = (refundId: string, dollars: bigint, orderId?: string): ReadonlyArray<PaymentEvent> => [
  {
    _tag: "PaymentRefundRequested",
    at: 1_770_000_000_000,
    paymentId: PAYMENT,
    refundId,
    ...(orderId === undefined ? {} : { orderId }),
    amount: fromUnits(dollars * ONE),
    seller: { userId: "u", companyId: SELLER, wallet: walletOf("u", "USD"), part: fromUnits(250n * ONE) }
  },
  { _tag: "PaymentRefunded", at: 1_770_000_001_000, paymentId: PAYMENT, refundId }
]

describe("What is told of a payment's event", () => {
  it("goes to the order's buyer, and to its sellers once the order has the money", () => {
    expect(outlineOf(tell(captured, order.slice(0, 1)))).toEqual([`payment.captured to ${BUYER}`])
    const paid = order.findIndex(({ _tag }) => _tag === "PurchaseOrderPaid")
    const streams = { [paymentStream(PAYMENT)]: captured, [purchaseOrderStream(ORDER)]: order.slice(0, paid + 1) }
    const messages = messagesOf(order[paid]!, streams)
    expect(outlineOf(messages)).toEqual([
      `order.paid to ${BUYER}`,
      `order.paid to ${SELLER}`,
      `payment.captured to ${SELLER}`
    ])
    expect(messages.at(-1)?.object()).toMatchObject({ amount: 250, applied: 250, instrument: null, failure: null })
  })

  it("goes of a refund to the seller that gave it", () => {
    const messages = tell([...captured, ...back("rfd_1", 100n)], order)
    expect(outlineOf(messages)).toEqual([`payment.refunded to ${BUYER}`, `payment.refunded to ${SELLER}`])
    expect(messages[1]?.object()).toMatchObject({ refunded: 100, refunds: [{ id: "rfd_1" }] })
  })

  it("says what the order has of it by then", () => {
    const [before] = tell(captured, order.slice(0, 1))
    expect(before?.object()).toMatchObject({ status: "captured", captured: 250, applied: 0 })
    const [after] = tell([...captured, ...back("rfd_1", 100n)], order)
    expect(after?.object()).toMatchObject({
      status: "partially_refunded",
      applied: 250,
      refunded: 100,
      refunds: [{ id: "rfd_1", status: "succeeded", reason: "seller", seller_company_id: SELLER }],
      updated_at: "2026-02-02T02:40:01.000Z"
    })
  })

  it("finds the order of a wallet's payment by its first refund", () => {
    const direct = order.map((event): PurchaseOrderEvent =>
      event._tag === "PurchaseOrderPaid"
        ? { ...event, payment: { ...event.payment, from: walletOf("usr_1", "USD") } }
        : event
    )
    const [told] = tell([...back("rfd_1", 50n, ORDER), ...back("rfd_2", 200n, ORDER)], direct)
    expect(told?.object()).toMatchObject({ provider: "wallet", extent: null, status: "refunded", refunded: 250 })
    expect(tell(back("rfd_1", 50n), direct)).toEqual([])
  })

  it("is nothing where the payment goes on by itself, or is let go", () => {
    expect(Object.keys(PAYMENT_TYPES)).toEqual([
      "PaymentAuthorized",
      "PaymentCaptured",
      "PaymentRefunded",
      "PaymentFailed"
    ])
    for (const own of [captured.slice(0, 1), captured.slice(0, 3), back("rfd_1", 50n).slice(0, 1)]) {
      expect(tell(own, order)).toEqual([])
    }
  })
})
