import { describe, expect, it } from "bun:test"
import { ReplayTally } from "../../../engine/market/ReplaySummary.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { traded, type Trading } from "../../lib/MarketTrader.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 101, orders: 80, traders: 6, faults: false })

const units = (value: number) => fromUnits(BigInt(Math.round(value * 1e6)))

const eager: Trading = (frame) => {
  if (frame.type !== "order_updated" || frame.data.status !== "open") return []
  const { entry_price: price, order_id: orderId, quantity } = frame.data
  return [
    {
      orderId,
      proposedPrice: units(price * 1.01),
      exitPrice: units(price * 2),
      quantity: units(quantity),
      slippage: units(0.02)
    }
  ]
}

describe("ReplaySummary", () => {
  it("adds up what became of each auction", () => {
    const { outcomes } = traded(market, eager)
    const tally = new ReplayTally(fromUnits(1_000_000n * ONE))
    for (const outcome of outcomes) tally.add(outcome)
    const { summary } = tally
    const sum = (of: (one: (typeof outcomes)[number]) => bigint) => outcomes.reduce((total, one) => total + of(one), 0n)
    expect(summary.auctions).toBe(market.auctions.length)
    expect(summary.reproduced).toBe(summary.chosen)
    expect(summary.chosen).toBeGreaterThan(30)
    expect(summary.profit).toBe(fromUnits(sum(({ profit }) => profit ?? 0n)))
    expect(summary.bestProfit).toBe(fromUnits(sum(({ best }) => best?.profit ?? 0n)))
    expect(summary.bids).toBe(outcomes.flatMap(({ own }) => own).length)
    expect(summary.won).toBe(outcomes.filter(({ won }) => won).length)
    const balances = outcomes.map(({ balance }) => balance)
    const deepest = balances.reduce<bigint>((most, balance, at) => {
      const height = balances.slice(0, at + 1).reduce<bigint>((top, one) => (one > top ? one : top), 1_000_000n * ONE)
      return height - balance > most ? height - balance : most
    }, 0n)
    expect(summary.drawdown).toBe(fromUnits(deepest))
  })
})
