import { describe, expect, it } from "bun:test"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { orderIn } from "../../../engine/webhooks/PurchaseOrderMessages.ts"
import { paymentIn, toBuyer, toSellers } from "../../../engine/webhooks/PaymentDrafts.ts"
import type { PaymentEvent } from "../../../engine/payments/PaymentEvent.ts"

const PAYMENT = "pay_example0000000000000000000"
const own = EXAMPLE_EVENTS["payment.captured"].events as ReadonlyArray<PaymentEvent>
const [placed, paid] = EXAMPLE_EVENTS["order.paid"].events

/** The example's order with a second seller, which the payment gave nothing. */
const withAnother = [placed!, paid!].map((event) =>
  event._tag === "PurchaseOrderPlaced"
    ? {
        ...event,
        terms: {
          ...event.terms,
          sellers: [
            ...event.terms.sellers,
            { sellerId: "cmp_other", wallet: walletOf("usr_other", "USD"), subtotal: fromUnits(ONE) }
          ]
        }
      }
    : event
)

describe("PaymentDrafts", () => {
  it("tell the buyer of a payment, and the sellers that were given something of it", () => {
    const order = orderIn(withAnother)
    const payment = paymentIn(PAYMENT, own, withAnother)
    if (order === undefined || payment === undefined) throw new Error("there is no example")
    const told = [...toBuyer("payment.captured", payment, order), ...toSellers("payment.captured", payment, order)]
    expect(told.map(({ companyId }) => companyId)).toEqual([
      "cmp_example0buyer0000000000000",
      "cmp_example0seller000000000000"
    ])
    expect(told.map(({ object }) => object())).toMatchObject([
      { amount: 250, provider: "sandbox-card" },
      { amount: 250, instrument: null }
    ])
    expect(toSellers("payment.captured", payment, order, () => false)).toEqual([])
  })

  it("are of no payment where neither its own events nor its order's make one", () => {
    expect(paymentIn("pay_none", [], withAnother)).toBeUndefined()
  })
})
