import { describe, expect, it } from "bun:test"
import { disputeShares, paidShares } from "../../../engine/payments/DisputeShares.ts"
import { cardOrder } from "../../lib/CardOrder.ts"
import { SELLER, usd } from "../../lib/CompanyWorld.ts"

describe("disputeShares", () => {
  it("takes a dispute from who was paid, at most what they have of it", () => {
    const { pay, situation } = cardOrder()
    pay("approves", "p")
    const { order, state } = situation("p")
    const own = { companyId: SELLER.companyId, wallet: "usr_co_0/USD/wallet" }
    expect(paidShares(state, order)).toEqual([{ ...own, part: usd(20), amount: usd(20) } as never])
    const disputed = (dollars: number) => {
      const dispute = { disputeId: "d", amount: usd(dollars), state: "open", changedAt: 0 } as const
      return disputeShares({ ...state, dispute }, order)
    }
    expect(disputed(5)).toEqual([{ ...own, amount: usd(5) } as never])
    expect(disputed(50)).toEqual([{ ...own, amount: usd(20) } as never])
    expect(paidShares({ ...state, isReturned: true }, order)).toEqual([])
  })
})
