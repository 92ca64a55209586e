import type { ArenaEvent, CommitmentYield } from "../arena/ArenaEvent.ts"
import { ASSET_TYPES } from "../arena/AssetType.ts"
import { type Commitment, limitPrice } from "../arena/Commitment.ts"
import type { FairnessRule } from "../arena/Fairness.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { Amount } from "../money/Amount.ts"
import { ONE as RATE_ONE, type Rate, fromUnits } from "../money/Rate.ts"
import { ceilDivide, clamp, floorDivide } from "../money/Rounding.ts"
import { type ExportedWorld, MAX_WORLD_MILLIS, type WorldBid } from "./ExportedWorld.ts"
import { dailyVolatility, lastOf, type PricePast } from "./WorldPrices.ts"

/** The most of each that are surveyed: the last auctions, and the traders that bid most. */
export interface SurveyLimits {
  readonly auctions: number
  readonly bids: number
  readonly traders: number
}

/** An order as its events left it. */
interface SurveyedOrder {
  readonly terms: OrderTerms
  readonly bids: Array<Commitment>
  readonly points: Array<PricePast>
  reference: Amount | undefined
  rule: FairnessRule | undefined
  hasClosed: boolean
  /** What its collateral earned, and its collateral times the milliseconds that it earned it in. */
  earned: bigint
  exposure: bigint
}

/** Somebody who bid: the accounts that tell what it has. */
export interface SurveyedTrader extends Pick<Commitment["trader"], "account" | "allowance" | "owner" | "type"> {
  /** Its bids in the auctions that are kept. */
  readonly bids: number
}

/** What was found, but for money. */
export interface SurveyedAuctions extends Pick<
  ExportedWorld,
  "apy" | "auctions" | "prices" | "rule" | "timing" | "types"
> {
  readonly traders: ReadonlyArray<SurveyedTrader>
  readonly maker: OrderTerms["maker"]
  readonly leftOut: Omit<ExportedWorld["leftOut"], "bots">
}

const MILLION = 1_000_000
const DAY_MILLIS = 86_400_000
const YEAR_MILLIS = 365n * BigInt(DAY_MILLIS)
const SECOND_MILLIS = 1_000

/** The most that a price or a take-profit may be above what it is told by, in 10⁻⁶: a hundredfold. */
const HIGHEST = 100_000_000n

const byName = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Of one moment in the order of their ids, so that the sequence of their events does not matter. */
const byTime = ({ terms: one }: SurveyedOrder, { terms: other }: SurveyedOrder): number =>
  one.openedAt - other.openedAt || byName(one.orderId, other.orderId)

/** Whose bid it is: a user, and each machine of its own. */
const traderOf = ({ trader: { botId, userId } }: Commitment): string => `${userId}/${botId ?? ""}`

/** Whether a bid is to come again: a bot that is in the world bids anew by itself, in the place of its company's program too. */
type IsOwn = (bid: Commitment) => boolean

const isOwnBeside =
  (bots: ReadonlySet<string>): IsOwn =>
  ({ decisionId, trader: { botId } }) =>
    decisionId === undefined && (botId === null || !bots.has(botId))

/** What is bid as nobody's machine. */
const NO_BOT = ""

/** Reads the arena's events: the last auctions, who bid in them and how, and what prices did. */
export class AuctionSurvey {
  readonly #limits: SurveyLimits
  readonly #orders = new Map<string, SurveyedOrder>()
  #dropped = 0
  /** Nobody's decision, by the machine that they were bid as: which bots the world has is known at its end. */
  readonly #droppedBids = new Map<string, number>()
  #bids = 0

  constructor(limits: SurveyLimits) {
    this.#limits = limits
  }

  take(event: ArenaEvent): void {
    if (event._tag === "OrderOpened") return this.#open(event.terms)
    const orderId = event._tag === "CommitmentSubmitted" ? event.commitment.orderId : event.orderId
    const order = this.#orders.get(orderId)
    if (order === undefined) return
    switch (event._tag) {
      case "CommitmentSubmitted":
        order.bids.push(event.commitment)
        this.#bids += 1
        return
      case "OrderClosed":
        break
      case "WinnerChosen":
        order.reference = event.choice.reference
        order.rule = event.choice.fairness.rule
        this.#price(order, event.choice.referenceAt, event.choice.reference)
        earn(order, event.yields, event.at)
        break
      case "OrderSettled":
        if (event.price !== null && !event.takeProfit) this.#price(order, order.terms.settlementAt, event.price)
        earn(order, event.yields, event.at)
        break
      case "OrderVoided":
        earn(order, event.yields, event.at)
    }
    order.hasClosed = true
  }

  /**
   * What was found, or why a world cannot begin from it.
   *
   * @param bots - those that the world has
   */
  end(bots: ReadonlySet<string>): SurveyedAuctions | string {
    this.#drop(1)
    const orders = [...this.#orders.values()].toSorted(byTime)
    const last = orders.at(-1)?.terms
    const closed = orders.filter(({ hasClosed }) => hasClosed)
    if (last === undefined) return "has no order of the arena: there is nothing to begin from"
    if (closed.length === 0) return "has no order that has closed: there is no auction to bid again"
    const timing = timingOf(orders, last)
    if (typeof timing === "string") return timing
    const isOwn = isOwnBeside(bots)
    const { leftOut, numbers, traders } = tradersOf(closed, this.#limits.traders, isOwn)
    const dropped = [...this.#droppedBids].filter(([bot]) => !bots.has(bot))
    const types = new Set(closed.map(({ terms }) => terms.assetType))
    return {
      timing,
      types: ASSET_TYPES.filter((type) => types.has(type)),
      rule: closed.findLast(({ rule }) => rule !== undefined)?.rule ?? "weighted",
      auctions: closed.map((order) => ({
        type: order.terms.assetType,
        discount: order.terms.makerDiscount === undefined ? null : Number(order.terms.makerDiscount),
        bids: bidsOf(order, numbers, isOwn)
      })),
      traders,
      prices: pricesOf(orders),
      apy: apyOf(orders),
      maker: last.maker,
      leftOut: {
        auctions: this.#dropped,
        bids: dropped.reduce((sum, [, bids]) => sum + bids, leftOut.bids),
        traders: leftOut.traders
      }
    }
  }

  #open(terms: OrderTerms): void {
    const order: SurveyedOrder = {
      terms,
      bids: [],
      points: [],
      reference: undefined,
      rule: undefined,
      hasClosed: false,
      earned: 0n,
      exposure: 0n
    }
    this.#price(order, terms.openedAt, terms.entryPrice)
    this.#orders.set(terms.orderId, order)
    // Not each time one is more: they are sorted for it.
    this.#drop(2)
  }

  /** An option's price is not its underlying's. */
  #price({ points, terms }: SurveyedOrder, at: number, price: Amount): void {
    if (terms.assetType !== "options") points.push({ at, price })
  }

  /** Leaves out the first auctions that closed, once there are so many times too many of them or of their bids. */
  #drop(times: number): void {
    const { auctions, bids } = this.#limits
    if (this.#orders.size <= auctions * times && this.#bids <= bids * times) return
    const closed = [...this.#orders.values()].filter(({ hasClosed }) => hasClosed).toSorted(byTime)
    let left = closed.length
    for (const order of closed) {
      if (left <= auctions && this.#bids <= bids) return
      left -= 1
      this.#dropped += 1
      for (const { decisionId, trader } of order.bids) {
        if (decisionId !== undefined) continue
        const bot = trader.botId ?? NO_BOT
        this.#droppedBids.set(bot, (this.#droppedBids.get(bot) ?? 0) + 1)
      }
      this.#bids -= order.bids.length
      this.#orders.delete(order.terms.orderId)
    }
  }
}

/** Adds what collateral earned, from its lock to a time. */
const earn = (order: SurveyedOrder, yields: ReadonlyArray<CommitmentYield>, at: number): void => {
  const shares = new Map(yields.map((one) => [one.commitmentId, one]))
  for (const { acceptedAt, collateral, commitmentId } of order.bids) {
    const share = shares.get(commitmentId)
    if (share === undefined) continue
    order.earned += share.trader + share.insurance + share.platform + share.tokenHolders
    order.exposure += collateral * BigInt(Math.max(0, at - acceptedAt))
  }
}

interface NumberedTraders {
  readonly traders: ReadonlyArray<SurveyedTrader>
  readonly numbers: ReadonlyMap<string, number>
  readonly leftOut: { readonly traders: number; readonly bids: number }
}

/** Who bid, numbered in the order of their ids; of too many those that bid most. */
const tradersOf = (closed: ReadonlyArray<SurveyedOrder>, limit: number, isOwn: IsOwn): NumberedTraders => {
  const found = new Map<string, SurveyedTrader>()
  for (const bid of closed.flatMap(({ bids }) => bids.filter(isOwn))) {
    const { account, allowance, owner, type } = bid.trader
    const name = traderOf(bid)
    found.set(name, { account, allowance, owner, type, bids: (found.get(name)?.bids ?? 0) + 1 })
  }
  const ranked = [...found].toSorted(([one, { bids }], [other, more]) => more.bids - bids || byName(one, other))
  const staying = ranked.slice(0, limit).toSorted(([one], [other]) => byName(one, other))
  return {
    traders: staying.map(([, trader]) => trader),
    numbers: new Map(staying.map(([name], index) => [name, index])),
    leftOut: {
      traders: ranked.length - staying.length,
      bids: ranked.slice(limit).reduce((sum, [, { bids }]) => sum + bids, 0)
    }
  }
}

/** How far apart orders of a type begin in the middle, in whole seconds, for some are late; undefined where no type has two. */
const slotOf = (orders: ReadonlyArray<SurveyedOrder>): number | undefined => {
  const last = new Map<string, number>()
  const all: Array<number> = []
  for (const { terms } of orders) {
    const before = last.get(terms.assetType)
    last.set(terms.assetType, terms.openedAt)
    if (before === undefined) continue
    const apart = Math.round((terms.openedAt - before) / SECOND_MILLIS) * SECOND_MILLIS
    if (apart > 0) all.push(apart)
  }
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)]
}

/** The times of the last order and of the slots, or which of them is longer than a world has. */
const timingOf = (
  orders: ReadonlyArray<SurveyedOrder>,
  { expiryAt, openedAt, settlementAt }: OrderTerms
): ExportedWorld["timing"] | string => {
  const window = expiryAt - openedAt
  const timing = { slot: slotOf(orders) ?? window, window, delay: settlementAt - expiryAt }
  const days = (millis: number): number => Math.floor(millis / DAY_MILLIS)
  const long = (
    [
      ["begin", timing.slot],
      ["are open for", timing.window],
      ["settle after", timing.delay]
    ] as const
  ).find(([, millis]) => millis > MAX_WORLD_MILLIS)
  if (long === undefined) return timing
  const [what, millis] = long
  const apart = what === "begin" ? " apart" : ""
  return (
    `has orders that ${what} ${days(millis)} days${apart}, and a world has at most ${days(MAX_WORLD_MILLIS)}: ` +
    "take the export of a server that has orders more often"
  )
}

const millionths = (part: bigint, whole: bigint): bigint => floorDivide(part * BigInt(MILLION), whole > 0n ? whole : 1n)

/** A bid by what the order was worth when it came: between its entry price and its reference, as the time was. */
const bidOf = (order: SurveyedOrder, trader: number, bid: Commitment): WorldBid => {
  const { entryPrice, expiryAt, openedAt, quantity } = order.terms
  const window = Math.max(1, expiryAt - openedAt)
  const at = Math.max(0, Math.min(MILLION - 1, Math.floor(((bid.acceptedAt - openedAt) * MILLION) / window)))
  const worth = entryPrice + floorDivide(((order.reference ?? entryPrice) - entryPrice) * BigInt(at), BigInt(MILLION))
  const limit = limitPrice(bid.proposedPrice, bid.slippage)
  const part = ceilDivide(bid.quantity * BigInt(MILLION), quantity > 0n ? quantity : 1n)
  return [
    trader,
    at,
    Number(clamp(millionths(bid.proposedPrice - worth, worth), BigInt(-MILLION), HIGHEST)),
    Number(clamp(millionths(bid.exitPrice - limit, limit), 0n, HIGHEST)),
    Number(clamp(part, 1n, BigInt(MILLION))),
    Number(bid.slippage)
  ]
}

/** By their time, those of one moment by what they are. */
const bidsOf = (order: SurveyedOrder, numbers: ReadonlyMap<string, number>, isOwn: IsOwn): ReadonlyArray<WorldBid> =>
  order.bids
    .filter(isOwn)
    .flatMap((bid) => {
      const trader = numbers.get(traderOf(bid))
      return trader === undefined ? [] : [bidOf(order, trader, bid)]
    })
    .toSorted((one, other) => one[1] - other[1] || firstApart(one, other))

const firstApart = (one: WorldBid, other: WorldBid): number => {
  const place = one.findIndex((value, index) => value !== other[index])
  return place < 0 ? 0 : (one[place] ?? 0) - (other[place] ?? 0)
}

/** What each asset was worth last, and how much it moves. */
const pricesOf = (orders: ReadonlyArray<SurveyedOrder>): ExportedWorld["prices"] => {
  const points = new Map<string, Array<PricePast>>()
  for (const order of orders) {
    const known = points.get(order.terms.asset) ?? []
    points.set(order.terms.asset, known)
    known.push(...order.points)
  }
  return pricesFrom(points)
}

/** What recorded prices tell of each asset. */
export const pricesFrom = (points: ReadonlyMap<string, ReadonlyArray<PricePast>>): ExportedWorld["prices"] =>
  Object.fromEntries(
    [...points]
      .toSorted(([one], [other]) => byName(one, other))
      .flatMap(([asset, past]) => {
        const last = lastOf(past)
        return last === undefined ? [] : [[asset, { last, volatility: dailyVolatility(past) }] as const]
      })
  )

const apyOf = (orders: ReadonlyArray<SurveyedOrder>): Rate | null => {
  const earned = orders.reduce((sum, order) => sum + order.earned, 0n)
  const exposure = orders.reduce((sum, order) => sum + order.exposure, 0n)
  return exposure === 0n ? null : fromUnits((earned * YEAR_MILLIS * RATE_ONE) / exposure)
}
