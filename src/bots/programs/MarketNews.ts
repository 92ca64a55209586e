import { Effect } from "effect"
import type { ArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { instrumentOf } from "../../../engine/arena/Instrument.ts"
import type { Median } from "../../../engine/arena/Median.ts"
import type { OrderTerms } from "../../../engine/arena/OrderTerms.ts"
import { channelOf, type MarketChannel, type MarketFrame } from "../../../engine/market/MarketFrame.ts"
import type { Moment } from "../../../engine/market/MarketReplay.ts"
import { toNumber } from "../../../engine/money/Amount.ts"
import { timeText } from "../../../engine/wire/WireValue.ts"
import type { ChangedCommitment, PublicChange, PublicOrders } from "../../arena/PublicOrders.ts"

type Changes = Pick<PublicOrders["Service"], "changes">

/** An order's recorded event, and its place in the order's stream from 1. */
type OrderEvent = Parameters<Changes["changes"]>[0][number]

/** Something that happened in the arena, before it is known who hears of it. */
export type News = { readonly order: OrderEvent } | { readonly medians: ReadonlyArray<Median> }

/** An event, and who hears of it. */
export interface Told {
  readonly frame: MarketFrame
  /** The order that it opens. */
  readonly opens?: string
  /** Only the bot hears of it. */
  readonly botId?: string
  /** All hear of it but this company. */
  readonly except?: string
}

/** Everything that happened at one time. */
export interface ToldMoment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly told: ReadonlyArray<Told>
}

/** Who listens. */
export interface Listener {
  readonly botId: string
  readonly companyId: string
  readonly channels: ReadonlySet<MarketChannel>
}

/** What of a moment a bot's program hears. */
export const heardBy = ({ at, told }: ToldMoment, { botId, channels, companyId }: Listener): Moment => ({
  at,
  events: told.flatMap(({ botId: only, except, frame }) => {
    const channel = channelOf(frame.type)
    const isForIt = (only === undefined || only === botId) && except !== companyId
    return isForIt && (channel === undefined || channels.has(channel)) ? [frame] : []
  })
})

const pricesAt = (medians: ReadonlyArray<Median>): ReadonlyArray<ToldMoment> =>
  medians.map(({ asset, at, price, safe }) => {
    const data = { asset_type: instrumentOf(asset)?.assetType ?? null, asset, price: toNumber(price), safe }
    return { at, told: [{ frame: { type: "price_update", data, timestamp: timeText(at) } }] }
  })

/** What a bot is told of a commitment of its own that was chosen among, or that ended. */
const outcomeFrame = (
  { commitmentId, json, outcome }: ChangedCommitment,
  assetType: string,
  timestamp: string
): MarketFrame | undefined => {
  const own = { commitment_id: commitmentId, order_id: json.order_id, asset_type: assetType }
  switch (outcome?.status) {
    case "won":
      return { type: "commitment_won", data: { ...own, clearing_price: outcome.clearingPrice }, timestamp }
    case "lost":
      return outcome.reason === null
        ? undefined
        : { type: "commitment_lost", data: { ...own, reason: outcome.reason }, timestamp }
    case "settled": {
      const { profit, settlementPrice: settlement_price } = outcome
      return { type: "commitment_settled", data: { ...own, profit, settlement_price }, timestamp }
    }
    case undefined:
      return undefined
  }
}

const byRank = (one: ChangedCommitment, other: ChangedCommitment): number =>
  (one.json.rank ?? Infinity) - (other.json.rank ?? Infinity)

/** The events of which a replay tells what the order is then: the opening, the choice and the end. */
const tellsOrder = ({ _tag }: ArenaEvent): boolean => _tag !== "CommitmentSubmitted" && _tag !== "OrderClosed"

/** What is told of one recorded event, as market replay tells it: the same views at the same stages, and no others. */
const toldOf = ({ event }: OrderEvent, { commitments, order }: PublicChange): ReadonlyArray<Told> => {
  const timestamp = timeText(event.at)
  const told: Array<Told> = []
  if (order !== null && tellsOrder(event)) {
    const opens = event._tag === "OrderOpened" ? { opens: event.terms.orderId } : {}
    told.push({ frame: { type: "order_updated", data: order, timestamp }, ...opens })
  }
  const isOfBids = event._tag === "CommitmentSubmitted" || event._tag === "WinnerChosen"
  for (const commitment of commitments.toSorted(byRank)) {
    const { botId, json, owner } = commitment
    if (isOfBids) told.push({ frame: { type: "commitment_updated", data: json, timestamp }, except: owner })
    const outcome = order === null ? undefined : outcomeFrame(commitment, order.asset_type, timestamp)
    if (botId !== null && outcome !== undefined) told.push({ frame: outcome, botId })
  }
  if (event._tag === "CommitmentSubmitted" && event.commitment.trader.botId !== null) {
    const { collateral, commitmentId, orderId, trader } = event.commitment
    const data = { commitment_id: commitmentId, order_id: orderId, collateral_required: toNumber(collateral) }
    told.push({ frame: { type: "commitment_accepted", data, timestamp }, botId: trader.botId ?? "" })
  }
  return told
}

/** Puts together what happened at one time. */
const joined = (moments: ReadonlyArray<ToldMoment>): ReadonlyArray<ToldMoment> => {
  const all: Array<{ readonly at: number; readonly told: Array<Told> }> = []
  for (const { at, told } of moments) {
    const last = all.at(-1)
    if (last?.at === at) last.told.push(...told)
    else if (told.length > 0) all.push({ at, told: [...told] })
  }
  return all
}

/** What is told of news, moment by moment. */
export const momentsOf = Effect.fnUntraced(function* (orders: Changes, news: ReadonlyArray<News>) {
  const changes = yield* orders.changes(news.flatMap((each) => ("order" in each ? [each.order] : [])))
  let next = 0
  return joined(
    news.flatMap((each): ReadonlyArray<ToldMoment> => {
      if ("medians" in each) return pricesAt(each.medians)
      const change = changes[next]
      next += 1
      return change === undefined ? [] : [{ at: each.order.event.at, told: toldOf(each.order, change) }]
    })
  )
})

/** The orders that take commitments, as they opened, for a program that begins to listen. */
export const openingOf = Effect.fnUntraced(function* (orders: Changes, open: ReadonlyArray<OrderTerms>, at: number) {
  const news = open.map((terms): News => ({
    order: { version: 1, event: { _tag: "OrderOpened", at: terms.openedAt, terms } }
  }))
  const told = (yield* momentsOf(orders, news)).flatMap((moment) => moment.told)
  return { at, told } satisfies ToldMoment
})
