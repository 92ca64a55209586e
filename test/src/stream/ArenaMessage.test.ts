import { describe, expect, it } from "bun:test"
import type { OrderSettled } from "../../../engine/arena/ArenaEvent.ts"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { errorMessage, messageOf, priceMessage } from "../../../src/stream/ArenaMessage.ts"
import { commitment, machine, OPENING, terms, usd } from "../../lib/ArenaArbitraries.ts"

const timestamp = "2027-01-15T08:00:00.037Z"
const { orderId } = terms()

const settled: OrderSettled = {
  _tag: "OrderSettled",
  at: OPENING,
  orderId,
  assetType: "fx",
  winner: { commitmentId: "com_1", address: "0xrobot" },
  price: usd("104"),
  takeProfit: false,
  profit: usd("12.5"),
  yieldDistributed: usd("0.000003"),
  yields: [],
  tieKey: "5".repeat(64)
}

const nobody = {
  order_id: orderId,
  winner_commitment_id: null,
  winner_address: null,
  prize_amount: 0,
  yield_distributed: 0
}

describe("the stream's messages", () => {
  it("tells of a new order", () => {
    expect(messageOf({ _tag: "OrderOpened", at: OPENING, terms: terms() })).toEqual({
      type: "order_created",
      data: { order_id: orderId, asset_type: "fx", entry_price: 100, settlement_date: "2027-01-15T08:30:00.037" },
      timestamp
    })
  })

  it("tells of a commitment", () => {
    const bid = commitment(1, { trader: machine("robot"), collateral: usd("38.1") })
    expect(messageOf({ _tag: "CommitmentSubmitted", at: OPENING, commitment: bid })).toEqual({
      type: "commitment_submitted",
      data: { commitment_id: bid.commitmentId, order_id: bid.orderId, trader_type: "machine", collateral: 38.1 },
      timestamp
    })
  })

  it("tells of a settlement with its winner", () => {
    expect(messageOf(settled)).toEqual({
      type: "order_settled",
      data: {
        order_id: orderId,
        winner_commitment_id: "com_1",
        winner_address: "0xrobot",
        prize_amount: 12.5,
        yield_distributed: 0.000003
      },
      timestamp
    })
    expect(messageOf({ ...settled, profit: fromUnits(-1n) })?.data).toMatchObject({ prize_amount: 0 })
  })

  it("tells of a settlement that nobody won, and of a void one, with nothing in it", () => {
    const yieldDistributed = usd("2")
    const unwon = messageOf({ ...settled, winner: null, price: null, profit: ZERO, yieldDistributed })
    expect(unwon).toEqual({ type: "order_settled", data: nobody, timestamp })
    const { at, yields, tieKey } = settled
    const reason = "no_reference_price"
    const voided = {
      _tag: "OrderVoided",
      at,
      orderId,
      assetType: "fx",
      reason,
      yieldDistributed,
      yields,
      tieKey
    } as const
    expect(messageOf(voided)).toEqual({ type: "order_settled", data: nobody, timestamp })
  })

  it("tells of a price", () => {
    const update = {
      assetType: "commodity",
      asset: "XAU",
      price: usd("2411.05"),
      source: "simulated",
      at: OPENING
    } as const
    expect(priceMessage(update)).toEqual({
      type: "price_update",
      data: { asset_type: "commodity", asset: "XAU", price: 2411.05, source: "simulated" },
      timestamp
    })
  })

  it("keeps to itself what is not public", () => {
    const at = OPENING
    const amount = usd("1")
    const silent: ReadonlyArray<PlatformEvent> = [
      { _tag: "OrderClosed", at, orderId },
      { _tag: "FundsMinted", at, fundId: "f", owner: "o", asset: "USD", amount, externalReference: null },
      { _tag: "CapitalFunded", at, account: "a", asset: "USD", amount },
      { _tag: "AllowanceGranted", at, traderId: "t", amount }
    ]
    for (const event of silent) expect(messageOf(event)).toBeUndefined()
  })

  it("has exactly type, data and timestamp, also for an error", () => {
    expect(errorMessage("No.", OPENING)).toEqual({
      type: "error",
      data: { message: "No.", code: "invalid_request" },
      timestamp
    })
    expect(Object.keys(messageOf(settled) ?? {})).toEqual(["type", "data", "timestamp"])
  })
})
