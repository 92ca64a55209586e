import { describe, expect, it } from "bun:test"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulated } from "../../lib/Simulations.ts"

const spec = { seed: 21, orders: 40, traders: 12, faults: false }
const { orders, traders, answers } = simulated(spec)

const sum = <T>(some: ReadonlyArray<T>, of: (one: T) => bigint): bigint =>
  some.reduce((total, one) => total + of(one), 0n)

describe("SimulationRows", () => {
  it("accounts for every trader's money: opening, profit and yield make the closing balance", () => {
    for (const { openingBalance, closingBalance, profit, yieldEarned } of traders) {
      const expected: bigint = openingBalance + profit + yieldEarned
      // What the source of yields could not pay is still owed.
      expect(closingBalance <= expected && closingBalance >= expected - yieldEarned).toBe(true)
    }
  })

  it("tells the same profits and yields by order and by trader", () => {
    expect(sum(orders, ({ profit }) => profit)).toBe(sum(traders, ({ profit }) => profit))
    expect(sum(orders, ({ yieldDistributed }) => yieldDistributed)).toBe(sum(traders, (one) => one.yieldEarned))
    expect(orders.filter(({ winner }) => winner !== null).length).toBe(traders.reduce((all, { wins }) => all + wins, 0))
  })

  it("counts commitments and submissions, and collateral at its peak and in all", () => {
    expect(traders.reduce((all, { commitments }) => all + commitments, 0)).toBe(answers["Submitted"]!)
    for (const { submissions, commitments, refusals, collateralPeak, collateralTotal, openingBalance } of traders) {
      expect(submissions).toBe(commitments + refusals)
      expect(collateralPeak <= collateralTotal).toBe(true)
      expect(collateralPeak > 0n).toBe(commitments > 0)
      expect(collateralPeak <= openingBalance + collateralTotal).toBe(true)
    }
  })

  it("numbers orders as the scenario does", () => {
    const plans = makeScenario(spec).orders
    for (const { order, assetType } of orders) expect(plans[order]?.assetType).toBe(assetType)
  })
})
