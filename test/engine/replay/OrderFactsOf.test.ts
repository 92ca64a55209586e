import { describe, expect, it } from "bun:test"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { averagePrice, exitPrice, isFinal } from "../../../engine/arena/SettlementPrice.ts"
import { factsOf, type Step, totalOf } from "../../../engine/replay/OrderFactsOf.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { commitment, order, usd } from "../../lib/ArenaArbitraries.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"

const stepOf = (type: string): Step => decodeArenaEvent(sampleLog().find((event) => event.type === type)!.data) as Step

const chosen = () => {
  const state = order()
  const step = stepOf("WinnerChosen")
  if (step._tag === "WinnerChosen") state.choice = step.choice
  return state
}

describe("OrderFactsOf", () => {
  it("gives a settlement the price that it recorded, by its mean or its take-profit", () => {
    const state = chosen()
    const step = stepOf("OrderSettled")
    const { medians, tieKey, now } = factsOf(state, step, undefined)
    const { referenceAt } = state.choice!
    expect(isFinal(medians, state.terms.settlementAt)).toBe(true)
    expect(averagePrice(medians, referenceAt, state.terms.settlementAt)).toBe(usd("101"))
    const reached = exitPrice(commitment(1, { exitPrice: usd("101") }), medians, referenceAt, state.terms.settlementAt)
    expect(reached).toEqual({ price: usd("101"), takeProfit: true })
    expect([tieKey, now]).toEqual(["5".repeat(64), step.at])
  })

  it("gives a choice its reference, its machines, and its ties as they are recorded", () => {
    const facts = factsOf(order(), stepOf("WinnerChosen"), undefined)
    expect(facts.medians).toMatchObject([{ price: usd("101"), safe: true }])
    expect([...facts.machineOwners]).toEqual(["robot"])
    expect(facts.tieHash("bob") < facts.tieHash("alice")).toBe(true)
  })

  it("gives a void order the reason that it recorded", () => {
    expect(factsOf(order(), stepOf("OrderVoided"), undefined)).toMatchObject({ haltedAtExpiry: true, medians: [] })
    expect(factsOf(order(), stepOf("OrderClosed"), undefined)).toMatchObject({ haltedAtExpiry: false, medians: [] })
  })

  it("takes yields as recorded where no accrual is given", () => {
    const state = order()
    const one = commitment(1)
    state.commitments.add(one)
    const paid = {
      commitmentId: one.commitmentId,
      trader: usd("7"),
      insurance: usd("1"),
      platform: usd("1.5"),
      tokenHolders: usd("0.5")
    }
    const step = stepOf("OrderVoided")
    const { accrued } = factsOf(state, { ...step, yields: [paid] } as Step, undefined)
    expect(totalOf(paid)).toBe(usd("10"))
    expect(accrued(one.collateral, one.acceptedAt, 0)).toBe(usd("10"))
    expect(accrued(one.collateral, one.acceptedAt + 1, 0)).toBe(ZERO)
    expect(factsOf(state, step, () => usd("3")).accrued(one.collateral, 0, 0)).toBe(usd("3"))
  })
})
