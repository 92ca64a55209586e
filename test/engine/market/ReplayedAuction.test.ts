import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { ReplayBalance } from "../../../engine/market/ReplayBalance.ts"
import { ReplayedAuction } from "../../../engine/market/ReplayedAuction.ts"
import { recordedAuction } from "../../../engine/market/PublishedAuction.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { hashing } from "../../../src/cli/ReplayHashes.ts"
import { human, usd } from "../../lib/ArenaArbitraries.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 81, orders: 40, traders: 6, faults: false })
const published = market.published.find(({ clearing_price: price }) => price !== null)
if (published === undefined) throw new Error("nobody won")

const replayed = (change: Partial<typeof published> = {}) =>
  new ReplayedAuction(recordedAuction({ ...published, ...change }), human("mine"), hashing.tieHash)

const submitted = (auction: ReplayedAuction, balance: ReplayBalance) => {
  const { entryPrice, openedAt, orderId, quantity } = auction.recorded.terms
  const proposedPrice = fromUnits((entryPrice * 11n) / 10n)
  const bid = { orderId, proposedPrice, quantity, exitPrice: fromUnits(entryPrice * 9n), slippage: usd("0.05") }
  return auction.submit(bid, openedAt, balance)
}

describe("ReplayedAuction", () => {
  it("numbers its own bids above all recorded ones, whatever those are", () => {
    const balance = new ReplayBalance(usd("1000000"))
    const ids = [replayed(), replayed({ commitments: [] })].map(
      (auction) => Result.getOrThrow(submitted(auction, balance)).commitmentId
    )
    expect(ids[0]).toBe(ids[1] as string)
  })

  it("tells the choice at the settlement date where no recorded price says when it was", () => {
    const auction = replayed()
    const { expiryAt, settlementAt } = auction.recorded.terms
    expect(auction.close([])).toEqual({ chosenAt: settlementAt, endedAt: settlementAt })
    expect(replayed({ commitments: [] }).close([])).toEqual({ chosenAt: undefined, endedAt: expiryAt })
  })

  it("is void as the real one was, whoever bid the most", () => {
    const balance = new ReplayBalance(usd("1000000"))
    for (const [reason, wait] of [
      ["breaker_open_at_expiry", 0],
      ["no_reference_price", 1],
      ["no_settlement_price", 2]
    ] as const) {
      const auction = replayed({ void_reason: reason })
      const { expiryAt, settlementAt } = auction.recorded.terms
      Result.getOrThrow(submitted(auction, balance))
      expect(auction.close([]).endedAt).toBe([expiryAt, settlementAt, settlementAt + 86_400_000][wait] as number)
      auction.choose(balance)
      expect(auction.settle()).toMatchObject({ price: null, profit: 0n, best: undefined })
    }
  })

  it("holds a bid's collateral once it is taken", () => {
    const balance = new ReplayBalance(usd("1000000"))
    const { collateral } = Result.getOrThrow(submitted(replayed(), balance))
    expect(balance.free).toBe(fromUnits(usd("1000000") - collateral))
    expect(Result.isFailure(submitted(replayed(), new ReplayBalance(fromUnits(collateral - 1n))))).toBe(true)
  })
})
