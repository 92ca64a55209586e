import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import {
  creditLimitOf,
  evolve,
  fulfilmentState,
  paymentState,
  placed,
  type PurchaseOrderState,
  statusOf,
  unpaidOf
} from "../../../engine/commerce/PurchaseOrder.ts"
import { cancel, fulfil, pay, place } from "../../../engine/commerce/PurchaseOrderDecision.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"

const actor = (companyId: string) => ({ userId: `usr_${companyId}`, companyId, at: 2 })

const ordered = (): PurchaseOrderState => {
  const piece = { quantity: 2, unitPrice: fromUnits(ONE) }
  const entry = place(
    {
      orderId: "order-1",
      buyer: { companyId: "ada", creditLimit: creditLimitOf("usr_ada") },
      lines: [
        { productId: "bolt", sellerId: "bob", wallet: walletOf("usr_bob", "USD"), ...piece },
        { productId: "cog", sellerId: "cyd", wallet: walletOf("usr_cyd", "USD"), ...piece }
      ],
      paymentTerms: { type: "installments", installments: 2 }
    },
    actor("ada")
  )
  return placed(Result.getOrThrow(entry).event.terms)
}
const states = (state: PurchaseOrderState) => [statusOf(state), paymentState(state), fulfilmentState(state)]
const paid = (state: PurchaseOrderState, paymentId: string): void => {
  const payment = { paymentId, from: walletOf("usr_ada", "USD"), extent: "next" } as const
  evolve(state, Result.getOrThrow(pay(state, payment, actor("ada"))).event)
}
const fulfilled = (state: PurchaseOrderState, seller: string): void =>
  evolve(state, Result.getOrThrow(fulfil(state, actor(seller))).event)

describe("PurchaseOrder", () => {
  it("keeps payment and fulfilment apart", () => {
    const state = ordered()
    expect(states(state)).toEqual(["pending", "unpaid", "unfulfilled"])
    paid(state, "pay_1")
    fulfilled(state, "cyd")
    expect(states(state)).toEqual(["pending", "partially_paid", "partially_fulfilled"])
    expect(unpaidOf(state)).toBe(fromUnits(2n * ONE))
    paid(state, "pay_2")
    expect(states(state)).toEqual(["paid", "paid", "partially_fulfilled"])
    fulfilled(state, "bob")
    expect(states(state)).toEqual(["fulfilled", "paid", "fulfilled"])
    expect(state.version).toBe(5)
  })

  it("is refunded when it is cancelled after a payment", () => {
    const state = ordered()
    paid(state, "pay_1")
    const { commands, event } = Result.getOrThrow(cancel(state, "too late", actor("bob")))
    expect(commands.map(({ _tag }) => _tag)).toEqual([
      "ReleaseMultiHold",
      "ReleaseMultiHold",
      "Release",
      "Transfer",
      "Transfer"
    ])
    evolve(state, event)
    expect(states(state)).toEqual(["cancelled", "refunded", "cancelled"])
    expect(unpaidOf(state)).toBe(fromUnits(0n))
  })
})
