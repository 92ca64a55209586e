import { describe, expect, it } from "bun:test"
import { added, figuresOf, NO_FIGURES } from "../../../scripts/compare/AuctionFigures.ts"
import { simulated } from "../../lib/Simulations.ts"

describe("The figures of auctions", () => {
  it("are those of the result", () => {
    const { orders, traders } = simulated({ seed: 10, orders: 40, traders: 10, faults: false })
    const figures = figuresOf(orders)
    expect(figures).toMatchObject({ orders: 40, voids: orders.filter(({ voided }) => voided !== null).length })
    expect(figures.wins).toBeGreaterThan(5)
    expect(figures.machineWins).toBeGreaterThan(0)
    expect(figures.machineWins).toBeLessThan(figures.wins)
    expect(figures.commitments).toBe(traders.reduce((sum, { commitments }) => sum + commitments, 0))
    const machines = new Set(traders.filter(({ type }) => type === "machine").map(({ traderId }) => traderId))
    const byMachines = orders.filter(({ voided, winner }) => voided === null && machines.has(winner ?? ""))
    expect(figures.machineWins).toBe(byMachines.length)
    expect(added(NO_FIGURES, figures)).toEqual(figures)
    expect(added(figures, figures).wins).toBe(2 * figures.wins)
  })
})
