/** Plays recorded auctions to a trading program, moment by moment, with its own bids among the recorded ones. */

import { Data, Result } from "effect"
import { type ArenaError, OrderNotFound } from "../arena/ArenaError.ts"
import { instrumentOf } from "../arena/Instrument.ts"
import type { Commitment, LossReason, Trader, TraderType } from "../arena/Commitment.ts"
import type { Median } from "../arena/Median.ts"
import { orderMedian } from "../arena/OrderTemplate.ts"
import { BidNotTaken } from "../bots/BotWorld.ts"
import { BinaryHeap } from "../collections/BinaryHeap.ts"
import { accountId } from "../ledger/Account.ts"
import { type Amount, toNumber } from "../money/Amount.ts"
import { timeText } from "../wire/WireValue.ts"
import { type AuctionOutcome, outcomeOf } from "./AuctionOutcome.ts"
import { chosenOrder, competingBid, endedOrder, liveOrder, rankedBid } from "./AuctionView.ts"
import { LookAhead, lookAheadOf } from "./LookAhead.ts"
import {
  channelOf,
  type MarketChannel,
  type MarketFrame,
  type MarketFrameData,
  type MarketFrameType
} from "./MarketFrame.ts"
import { PriceRecord } from "./PriceRecord.ts"
import type { PublishedAuction, PublishedBid, RecordedAuction, TieHash } from "./PublishedAuction.ts"
import { millisOf } from "./PublishedAuction.ts"
import { ReplayBalance } from "./ReplayBalance.ts"
import { type BidRequest, ReplayedAuction } from "./ReplayedAuction.ts"

/** How everybody sees an auction at each stage. */
export const VIEWS = {
  liveOrder,
  competingBid: (order: PublishedAuction, bid: PublishedBid) => competingBid(order, bid),
  chosenOrder,
  rankedBid,
  endedOrder
}

/** Who trades in a replay, and how. */
export interface ReplayPlan {
  /** The company that the program bids for: its recorded bids are left out. */
  readonly owner: string
  readonly type: TraderType
  /** USD at the beginning. */
  readonly balance: Amount
  /** Milliseconds from what a program is told to the arrival of what it does then. */
  readonly latency: number
  /** What the program wants to hear. */
  readonly channels: ReadonlySet<MarketChannel>
  readonly tieHash: TieHash
  /** Whether it bids as a bot of the platform does: its first bid on an order is its decision, taken or not. */
  readonly once?: boolean
  /** Views with a fault of their own, to see that it is found. */
  readonly planted?: Partial<typeof VIEWS>
}

/** Everything that happens at one time, as far as the program wants to hear of it. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly events: ReadonlyArray<MarketFrame>
}

/** An auction that opened before what was played already: the history is not in the sequence of time. */
export class OutOfSequence extends Data.TaggedError("OutOfSequence")<{ readonly orderId: string }> {
  override get message(): string {
    return `${this.orderId} opened more than a day before it settled, or its day comes out of sequence: this cannot be replayed.`
  }
}

/** Something that a program asked for and does not get, as it is told of it. */
export type RefusedBid = MarketFrameData["commitment_refused"]

/** What happens at one moment, in this sequence. */
const STEPS = ["prices", "close", "choice", "end", "opening", "rival", "arrival", "waking"] as const

type Step =
  | { readonly kind: "prices"; readonly median: Median }
  | { readonly kind: "end" | "choice" | "close" | "opening"; readonly auction: ReplayedAuction }
  | { readonly kind: "rival"; readonly auction: ReplayedAuction; readonly bid: PublishedBid }
  | { readonly kind: "arrival"; readonly request: Result.Result<BidRequest, RefusedBid> }
  | { readonly kind: "waking" }

interface Planned {
  readonly at: number
  readonly rank: number
  readonly number: number
  readonly step: Step
}

const precedes = (one: Planned, other: Planned): boolean =>
  one.at !== other.at ? one.at < other.at : one.rank !== other.rank ? one.rank < other.rank : one.number < other.number

const traderOf = ({ owner, type }: ReplayPlan): Trader => ({
  owner,
  userId: owner,
  address: owner,
  type,
  botId: type === "machine" ? owner : null,
  account: accountId(owner, "USD", "wallet"),
  allowance: null
})

/** A replay: give it history, then take a moment, answer it, and take the next. */
export class MarketReplay {
  readonly #plan: ReplayPlan
  readonly #views: typeof VIEWS
  readonly #trader: Trader
  readonly #account: ReplayBalance
  readonly #steps = new BinaryHeap(precedes)
  readonly #live = new Map<string, ReplayedAuction>()
  readonly #prices = new PriceRecord()
  /** The orders that it bid on, where it bids once on each. */
  readonly #decided = new Set<string>()
  readonly #ended: Array<AuctionOutcome> = []
  #events: Array<MarketFrame> = []
  #now = 0
  #planned = 0

  constructor(plan: ReplayPlan) {
    this.#plan = plan
    this.#views = { ...VIEWS, ...plan.planted }
    this.#trader = traderOf(plan)
    this.#account = new ReplayBalance(plan.balance)
  }

  /** The trader's money now. */
  get account(): Pick<ReplayBalance, "balance" | "free"> {
    return this.#account
  }

  /** Adds history that begins where what was added before ends, or later. Medians ascend in time. */
  add(auctions: ReadonlyArray<RecordedAuction>, medians: ReadonlyArray<Median>): void {
    for (const recorded of auctions) {
      const { openedAt, orderId } = recorded.terms
      if (openedAt < this.#now) throw new OutOfSequence({ orderId })
      const auction = new ReplayedAuction(recorded, this.#trader, this.#plan.tieHash)
      this.#live.set(orderId, auction)
      this.#at(openedAt, { kind: "opening", auction })
    }
    this.#prices.add(medians)
    if (!this.#plan.channels.has("prices")) return
    for (const median of medians) if (median.at >= this.#now) this.#at(median.at, { kind: "prices", median })
  }

  /** Plays on to the next moment before a time that the program hears of; undefined where there is none. */
  next(before: number): Moment | undefined {
    for (let first = this.#steps.first; first !== undefined && first.at < before; first = this.#steps.first) {
      this.#now = first.at
      this.#events = []
      for (let next = this.#steps.first; next?.at === this.#now; next = this.#steps.first) {
        this.#steps.pop()
        this.#take(next.step)
      }
      if (this.#events.length > 0) return { at: this.#now, events: this.#events }
    }
    return undefined
  }

  /** Takes what the program does at the moment that it was told of last. */
  reply(requests: ReadonlyArray<Result.Result<BidRequest, RefusedBid>>, wakeAt: number | undefined): void {
    for (const request of requests) this.#at(this.#now + this.#plan.latency, { kind: "arrival", request })
    if (wakeAt !== undefined) this.#at(Math.max(wakeAt, this.#now), { kind: "waking" })
  }

  /** What became of the auctions that ended since it was asked last. */
  drain(): ReadonlyArray<AuctionOutcome> {
    return this.#ended.splice(0)
  }

  #at(at: number, step: Step): void {
    this.#steps.push({ at, rank: STEPS.indexOf(step.kind), number: this.#planned++, step })
  }

  #take(step: Step): void {
    switch (step.kind) {
      case "prices":
        return this.#price(step.median)
      case "opening":
        return this.#open(step.auction)
      case "rival": {
        const { published } = step.auction.recorded
        return this.#tell("commitment_updated", this.#views.competingBid(published, step.bid), step.auction)
      }
      case "arrival":
        return this.#arrive(step.request)
      case "close":
        return this.#close(step.auction)
      case "choice":
        return this.#choose(step.auction)
      case "end":
        return this.#end(step.auction)
      case "waking":
        return this.#tell("woken", {})
    }
  }

  /** Tells the program of something, unless it does not want to hear of it, or it may not yet. */
  #tell<Type extends MarketFrameType>(type: Type, data: MarketFrameData[Type], auction?: ReplayedAuction): void {
    const channel = channelOf(type)
    if (channel !== undefined && !this.#plan.channels.has(channel)) return
    const event = { type, data, timestamp: timeText(this.#now) } as MarketFrame
    const early = lookAheadOf(event, this.#now, auction && { ...auction.recorded, rivals: auction.rivals.length })
    if (early !== undefined) throw early
    this.#events.push(event)
  }

  #price({ asset, at, price, safe }: Median): void {
    if (at > this.#now) throw new LookAhead({ at: this.#now, what: "a price is told" })
    const assetType = instrumentOf(asset)?.assetType ?? null
    this.#tell("price_update", { asset_type: assetType, asset, price: toNumber(price), safe })
  }

  #open(auction: ReplayedAuction): void {
    const { published, terms } = auction.recorded
    this.#tell("order_updated", this.#views.liveOrder(published, "open"), auction)
    this.#at(terms.expiryAt, { kind: "close", auction })
    if (!this.#plan.channels.has("commitments")) return
    for (const bid of published.commitments) {
      if (bid.owner_id === this.#plan.owner || bid.accepted_at === null) continue
      this.#at(Math.max(millisOf(bid.accepted_at), this.#now), { kind: "rival", auction, bid })
    }
  }

  #arrive(request: Result.Result<BidRequest, RefusedBid>): void {
    const decided = Result.flatMap(request, (bid): Result.Result<Commitment, RefusedBid> => {
      const auction = this.#live.get(bid.orderId)
      if (auction === undefined || auction.recorded.terms.openedAt > this.#now) {
        return Result.fail(refusedBid(bid.orderId, new OrderNotFound({ orderId: bid.orderId })))
      }
      if (this.#decided.has(bid.orderId)) {
        return Result.fail(refusedBid(bid.orderId, new BidNotTaken({ botId: this.#plan.owner, orderId: bid.orderId })))
      }
      const submitted = auction.submit(bid, this.#now, this.#account)
      if (this.#plan.once === true && isDecision(submitted)) this.#decided.add(bid.orderId)
      return Result.mapError(submitted, (error) => refusedBid(bid.orderId, error))
    })
    if (Result.isFailure(decided)) return this.#tell("commitment_refused", decided.failure)
    const { collateral, commitmentId, orderId } = decided.success
    const accepted = { commitment_id: commitmentId, order_id: orderId, collateral_required: toNumber(collateral) }
    this.#tell("commitment_accepted", accepted)
  }

  #close(auction: ReplayedAuction): void {
    const { terms } = auction.recorded
    const medians = this.#prices
      .of(terms.asset, terms.expiryAt, terms.settlementAt)
      .map((median) => orderMedian(terms, median))
    const { chosenAt, endedAt } = auction.close(medians)
    if (chosenAt !== undefined) this.#at(chosenAt, { kind: "choice", auction })
    this.#at(endedAt, { kind: "end", auction })
  }

  #choose(auction: ReplayedAuction): void {
    const choice = auction.choose(this.#account)
    if (choice === undefined) return
    const { published } = auction.recorded
    this.#tell("order_updated", this.#views.chosenOrder(published, choice), auction)
    const bids = new Map(published.commitments.map((bid) => [bid.commitment_id, bid]))
    const own = new Map(auction.own.map((commitment) => [commitment.commitmentId, commitment]))
    for (const [place, standing] of choice.competition.ranking.entries()) {
      const mine = own.get(standing.commitmentId)
      const bid = bids.get(standing.commitmentId)
      if (mine !== undefined) this.#chosen(mine, standing.reason, choice.clearingPrice)
      else if (bid !== undefined) {
        this.#tell("commitment_updated", this.#views.rankedBid(published, bid, standing, place + 1), auction)
      }
    }
  }

  /** One's own commitment has won, or it has lost for a reason and its collateral comes back. */
  #chosen(mine: Commitment, reason: LossReason | null, clearingPrice: Amount | null): void {
    const told = ownData(mine)
    if (reason === null) {
      return this.#tell("commitment_won", { ...told, clearing_price: numberOrNull(clearingPrice) })
    }
    this.#account.release(mine.collateral)
    this.#tell("commitment_lost", { ...told, reason })
  }

  #end(auction: ReplayedAuction): void {
    const { choice, own, recorded } = auction
    const settlement = auction.settle()
    for (const mine of own) {
      if (choice === undefined) this.#chosen(mine, "void", null)
      else if (mine.commitmentId === choice.won?.commitmentId) {
        this.#account.release(mine.collateral)
        if (settlement.profit !== null) this.#account.post(settlement.profit)
        const settled = { profit: numberOrNull(settlement.profit), settlement_price: numberOrNull(settlement.price) }
        this.#tell("commitment_settled", { ...ownData(mine), ...settled })
      }
    }
    this.#tell("order_updated", this.#views.endedOrder(recorded.published, choice, settlement.price), auction)
    this.#live.delete(recorded.terms.orderId)
    this.#decided.delete(recorded.terms.orderId)
    const [balance, endedAt] = [this.#account.balance, this.#now]
    this.#ended.push(outcomeOf(auction, { settlement, balance, endedAt, tieHash: this.#plan.tieHash }))
  }
}

/** Whether a bot's bid is its decision: one that any order would refuse, or that comes too late, is none. */
const isDecision = (submitted: Result.Result<Commitment, ArenaError>): boolean =>
  Result.isSuccess(submitted) || submitted.failure._tag === "InsufficientCollateral"

const numberOrNull = (amount: Amount | null): number | null => (amount === null ? null : toNumber(amount))

const ownData = ({ assetType, commitmentId, orderId }: Commitment) => ({
  commitment_id: commitmentId,
  order_id: orderId,
  asset_type: assetType
})

const refusedBid = (orderId: string, { code, message }: ArenaError | BidNotTaken): RefusedBid => ({
  order_id: orderId,
  code,
  message
})
