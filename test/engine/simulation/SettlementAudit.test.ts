import { describe, expect, it } from "bun:test"
import type { CommitmentYield, OrderSettled } from "../../../engine/arena/ArenaEvent.ts"
import { shareYield } from "../../../engine/arena/YieldShares.ts"
import { averagePrice, profitOf } from "../../../engine/arena/SettlementPrice.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { type Amount, fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { type NaiveOrder, readCommitment, readOrder } from "../../../engine/simulation/NaiveOrder.ts"
import { auditSettlement, auditYields, paid } from "../../../engine/simulation/SettlementAudit.ts"
import { commitment, human, median, OPENING, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { wire } from "../../lib/AuditedChoices.ts"

const EXPIRY = OPENING + 900_000
const SETTLEMENT = OPENING + 1_800_000
const medians = [
  median(EXPIRY + 1_000, "101"),
  median(EXPIRY + 3_000, "500", false),
  median(EXPIRY + 7_777, "103.000001"),
  median(SETTLEMENT + 1, "90")
]
const won = commitment(1, { trader: human("alice", { account: "alice/USD/wallet" }) })
const clearing = usd("100.5")

const orderOf = (): NaiveOrder => {
  const order = readOrder(wire(terms()))
  order.commitments.set(won.commitmentId, readCommitment(wire(won)))
  order.choice = { winner: won.commitmentId, clearing, referenceAt: EXPIRY + 1_000 }
  return order
}

const settledAt = (price: Amount, profit: Amount, takeProfit = false): OrderSettled => ({
  _tag: "OrderSettled",
  at: SETTLEMENT + 1,
  orderId: terms().orderId,
  assetType: "fx",
  winner: { commitmentId: won.commitmentId, address: won.trader.address },
  price,
  takeProfit,
  profit,
  yieldDistributed: ZERO,
  yields: [],
  tieKey: ""
})

const payment = (amount: Amount, to = won.trader.account): Command => ({
  _tag: "Capture",
  hold: "h",
  to,
  amount,
  purpose: "settlement"
})

const brokenBy = (event: OrderSettled, commands: ReadonlyArray<Command>, prices = medians): ReadonlyArray<string> => {
  const broken: Array<string> = []
  auditSettlement(orderOf(), wire(event), prices, commands, (invariant) => void broken.push(invariant))
  return broken
}

const mean = averagePrice(medians, EXPIRY + 1_000, SETTLEMENT)
const profit = profitOf(won, clearing, mean)

describe("SettlementAudit", () => {
  it("agrees with the engine's mean, profit and payment", () => {
    expect(profit > 0n).toBe(true)
    expect(brokenBy(settledAt(mean, profit), [payment(profit)])).toEqual([])
  })

  it("agrees with a take-profit, which a safe price must have reached", () => {
    const prices = [...medians.slice(0, 3), median(EXPIRY + 9_000, "111"), medians[3]!]
    const taken = profitOf(won, clearing, won.exitPrice)
    expect(brokenBy(settledAt(won.exitPrice, taken, true), [payment(taken)], prices)).toEqual([])
    expect(brokenBy(settledAt(won.exitPrice, taken, true), [payment(taken)])).toContain("settlement_price")
  })

  it("sees another price or profit, and a payment that is not the profit", () => {
    const off = fromUnits(profit + 1n)
    expect(brokenBy(settledAt(fromUnits(mean + 1n), profit), [payment(profit)])).toEqual(["settlement_price"])
    expect(brokenBy(settledAt(mean, off), [payment(off)])).toEqual(["profit", "profit"])
    expect(brokenBy(settledAt(mean, profit), [payment(off)])).toEqual(["profit"])
    expect(brokenBy(settledAt(mean, profit), [payment(profit, terms().maker.account)])).toEqual(["profit"])
  })

  it("sees a settlement before its price is final", () => {
    expect(brokenBy(settledAt(mean, profit), [payment(profit)], medians.slice(0, 3))).toEqual(["settlement_price"])
  })

  it("counts what settlements pay", () => {
    expect(paid([payment(usd("2")), payment(usd("3")), payment(usd("5"), "bob/USD/wallet")], won.trader.account)).toBe(
      5_000_000n
    )
  })
})

describe("SettlementAudit, yields", () => {
  const YEAR = 31_536_000_000
  const range = { least: 50_000_000_000n, most: 50_000_000_000n }
  const total = fromUnits(190_000n)
  const earned: CommitmentYield = { commitmentId: won.commitmentId, ...shareYield(total) }
  const covers = ([party, amount]: readonly [string, bigint]): Command => ({
    _tag: "Cover",
    id: `yield/${party}/${won.commitmentId}`,
    sources: [],
    to: "x/USD/wallet",
    amount: fromUnits(amount),
    purpose: "yield"
  })
  const payments = (one: CommitmentYield): ReadonlyArray<Command> =>
    [
      ["trader", one.trader],
      ["insurance", one.insurance],
      ["platform", one.platform],
      ["token_holders", one.tokenHolders]
    ].map((pair) => covers(pair as [string, bigint]))

  const brokenYields = (yields: ReadonlyArray<CommitmentYield>, commands: ReadonlyArray<Command>) => {
    const order = orderOf()
    const broken: Array<string> = []
    const report = (invariant: string) => void broken.push(invariant)
    const released = [...order.commitments.values()]
    auditYields(order, wire(yields), released, won.acceptedAt + YEAR, commands, range, report)
    return broken
  }

  it("agrees with 5 % of 3.81 USD in a year, split 70, 10, 15 and 5", () => {
    expect(brokenYields([earned], payments(earned))).toEqual([])
  })

  it("sees too much, too little, nothing, a wrong split, and a payment that is missing", () => {
    for (const sum of [195_000n, 180_000n]) {
      const other = { ...earned, ...shareYield(fromUnits(sum)) }
      expect(brokenYields([other], payments(other))).toEqual(["yield"])
    }
    expect(brokenYields([], [])).toEqual(["yield"])
    const skewed = { ...earned, trader: fromUnits(earned.trader + 1n), platform: fromUnits(earned.platform - 1n) }
    expect(brokenYields([skewed], payments(skewed))).toEqual(["yield"])
    expect(brokenYields([earned], payments(earned).slice(1))).toContain("yield")
  })
})
