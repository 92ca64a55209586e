import { Result } from "effect"
import type { AuctionOutcome } from "../../engine/market/AuctionOutcome.ts"
import type { MarketFrame } from "../../engine/market/MarketFrame.ts"
import { MarketReplay, type Moment, type ReplayPlan } from "../../engine/market/MarketReplay.ts"
import type { BidRequest } from "../../engine/market/ReplayedAuction.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { hashing } from "../../src/cli/ReplayHashes.ts"
import type { RecordedMarket } from "./RecordedMarket.ts"

/** What a trader of the tests does about an event. */
export type Trading = (event: MarketFrame, now: number) => ReadonlyArray<BidRequest>

/** A human of a company of its own with a million USD, who hears everything and whose bids arrive at once. */
export const plan = (change: Partial<ReplayPlan> = {}): ReplayPlan => ({
  owner: "cmp_mine",
  type: "human",
  balance: fromUnits(1_000_000n * ONE),
  latency: 0,
  channels: new Set(["orders", "commitments", "prices", "my"]),
  tieHash: hashing.tieHash,
  ...change
})

/** Plays a market to a trader. Answers all that it was told, and what became of each auction. */
export const traded = (
  { auctions, medians }: Pick<RecordedMarket, "auctions" | "medians">,
  trading: Trading,
  change: Partial<ReplayPlan> = {}
): { readonly moments: ReadonlyArray<Moment>; readonly outcomes: ReadonlyArray<AuctionOutcome> } => {
  const replay = new MarketReplay(plan(change))
  replay.add(auctions, medians)
  const moments: Array<Moment> = []
  for (let moment = replay.next(Infinity); moment !== undefined; moment = replay.next(Infinity)) {
    const { at, events } = moment
    moments.push(moment)
    replay.reply(
      events.flatMap((event) => trading(event, at)).map((bid) => Result.succeed(bid)),
      undefined
    )
  }
  return { moments, outcomes: replay.drain() }
}

/** Bids on nothing. */
export const idle: Trading = () => []

/** Bids once on an auction, at its opening. */
export const bidding =
  (bid: BidRequest): Trading =>
  (frame) =>
    frame.type === "order_updated" && frame.data.status === "open" && frame.data.order_id === bid.orderId ? [bid] : []

/** What became of the only auction. */
export const only = (outcomes: ReadonlyArray<AuctionOutcome>): AuctionOutcome => {
  const [outcome] = outcomes
  if (outcome === undefined || outcomes.length > 1) throw new Error(`${outcomes.length} auctions ended`)
  return outcome
}
