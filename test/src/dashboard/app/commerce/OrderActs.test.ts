import { describe, expect, it } from "bun:test"
import { type ActableOrder, openActs } from "../../../../../src/dashboard/app/commerce/OrderActs.ts"

const BUYER = "cmp_buyer"
const SELLER = "cmp_seller"

const order = (change: Partial<ActableOrder> = {}): ActableOrder => ({
  buyerId: BUYER,
  status: "pending",
  payment: "unpaid",
  fulfilment: "unfulfilled",
  isPrepaid: true,
  openInstalments: 1,
  sellers: [{ companyId: SELLER, isFulfilled: false }],
  ...change
})

describe("What can be done with an order", () => {
  it("lets the buyer pay, and the seller deliver once it is paid", () => {
    expect(openActs(order(), BUYER)).toEqual({ pay: "whole", canFulfil: false, canCancel: true, fulfilWaitsFor: null })
    const waiting = openActs(order(), SELLER)
    expect(waiting.canFulfil).toBe(false)
    expect(waiting.fulfilWaitsFor).toContain("prepaid")
    expect(openActs(order({ status: "paid", payment: "paid", openInstalments: 0 }), SELLER)).toEqual({
      pay: "no",
      canFulfil: true,
      canCancel: true,
      fulfilWaitsFor: null
    })
  })

  it("lets a seller deliver on credit before it is paid", () => {
    expect(openActs(order({ isPrepaid: false }), SELLER).canFulfil).toBe(true)
  })

  it("offers the next instalment alone where several are open", () => {
    expect(openActs(order({ isPrepaid: false, openInstalments: 3 }), BUYER).pay).toBe("parts")
  })

  it("offers nothing once it is cancelled, to somebody else, or twice", () => {
    const nothing = { pay: "no", canFulfil: false, canCancel: false, fulfilWaitsFor: null } as const
    const cancelled = order({ status: "cancelled", fulfilment: "cancelled" })
    expect(openActs(cancelled, BUYER)).toEqual(nothing)
    expect(openActs(cancelled, SELLER)).toEqual(nothing)
    expect(openActs(order(), "cmp_other")).toEqual(nothing)
    const done = order({
      status: "fulfilled",
      payment: "paid",
      fulfilment: "fulfilled",
      sellers: [{ companyId: SELLER, isFulfilled: true }]
    })
    expect(openActs(done, SELLER)).toEqual(nothing)
    expect(openActs(done, BUYER)).toEqual(nothing)
  })
})
