import { describe, expect, it } from "bun:test"
import { outcomeOf } from "../../../engine/market/AuctionOutcome.ts"
import { ReplayBalance } from "../../../engine/market/ReplayBalance.ts"
import { ReplayedAuction } from "../../../engine/market/ReplayedAuction.ts"
import { recordedAuction } from "../../../engine/market/PublishedAuction.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { hashing } from "../../../src/cli/ReplayHashes.ts"
import { human, usd } from "../../lib/ArenaArbitraries.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 91, orders: 40, traders: 6, faults: false })
const published = market.published.find(({ clearing_price: price }) => price !== null)
if (published === undefined) throw new Error("nobody won")

const ended = (change: Partial<typeof published>) => {
  const auction = new ReplayedAuction(recordedAuction({ ...published, ...change }), human("mine"), hashing.tieHash)
  const balance = new ReplayBalance(usd("1000000"))
  const { entryPrice, openedAt, orderId, quantity } = auction.recorded.terms
  const proposedPrice = fromUnits((entryPrice * 11n) / 10n)
  auction.submit(
    { orderId, proposedPrice, quantity, exitPrice: fromUnits(entryPrice * 9n), slippage: usd("0.05") },
    openedAt,
    balance
  )
  auction.close([])
  auction.choose(balance)
  const settlement = auction.settle()
  return outcomeOf(auction, { settlement, balance: balance.balance, endedAt: 7, tieHash: hashing.tieHash })
}

describe("AuctionOutcome", () => {
  it("says whether an end is the real one's, or what nothing recorded tells", () => {
    expect(ended({}).end).toBe("settled")
    expect(ended({ void_reason: "no_settlement_price" }).end).toBe("void")
    expect(ended({ commitments: [], reference_price: null }).end).toBe("undecided")
    expect(ended({ settlement_price: null, winner_commitment_id: null })).toMatchObject({
      end: "unpriced",
      profit: null
    })
  })

  it("keeps what was really published beside what would have been", () => {
    const outcome = ended({})
    expect(outcome.published.winner).toBe(published.winner_commitment_id)
    expect(outcome.winner).toBe(outcome.own[0]?.commitmentId as string)
    expect([outcome.won, outcome.own[0]?.rank, outcome.own[0]?.reason]).toEqual([true, 1, null])
  })
})
