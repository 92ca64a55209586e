import type { Recorded } from "../../engine/actor/Journal.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { type Channel } from "../api/ArenaStreamProtocol.ts"
import { isoUtc } from "../api/Timestamp.ts"
import type { ChangedCommitment, PublicChange } from "../arena/PublicOrders.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { isOf, type PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { type ArenaMessage, messageOf, priceMessage, type PriceUpdate } from "./ArenaMessage.ts"

/** One message as a subscription judges it, serialized once for everybody. */
export interface Frame {
  readonly channel: Channel
  readonly assetType: AssetType
  /** Null if it belongs to no order. */
  readonly orderId: string | null
  /** The user it is for; null if it is for everybody. */
  readonly userId: string | null
  /** Whether only sequenced subscriptions hear it. */
  readonly isExtension: boolean
  /** Its JSON text without the closing brace. */
  readonly head: string
}

/** The messages of one event of the log, in order. */
export interface StreamEvent {
  readonly seq: number
  readonly frames: ReadonlyArray<Frame>
}

/** The characters of an event's frames. */
export const lengthOf = ({ frames }: StreamEvent): number => frames.reduce((sum, { head }) => sum + head.length, 0)

/** An order's event in the log; other events have no messages. */
export type OrderEventRecord = Pick<Recorded<ArenaEvent>, "event" | "seq" | "version">

const isOfOrders = isOf("order")

export const isOfOrder = (recorded: Recorded<PlatformEvent>): recorded is Recorded<ArenaEvent> =>
  isOfOrders(recorded.event)

const CHANNEL_OF: Readonly<Record<Exclude<ArenaMessage["type"], "error">, Channel>> = {
  order_created: "orders",
  commitment_submitted: "commitments",
  order_settled: "settlements",
  price_update: "prices"
}

const headOf = (type: string, data: object, timestamp: string): string =>
  JSON.stringify({ type, data, timestamp }).slice(0, -1)

/** The asset type, if the event itself says it. */
const assetTypeOf = ({ event }: OrderEventRecord): AssetType | undefined => {
  switch (event._tag) {
    case "OrderOpened":
      return event.terms.assetType
    case "CommitmentSubmitted":
      return event.commitment.assetType
    case "OrderSettled":
    case "OrderVoided":
      return event.assetType
    case "OrderClosed":
    case "WinnerChosen":
      return undefined
  }
}

const orderIdOf = ({ event }: OrderEventRecord): string => {
  if (event._tag === "OrderOpened") return event.terms.orderId
  return event._tag === "CommitmentSubmitted" ? event.commitment.orderId : event.orderId
}

const publicFrames = (recorded: OrderEventRecord): ReadonlyArray<Frame> => {
  const message = messageOf(recorded.event)
  const assetType = assetTypeOf(recorded)
  if (message === undefined || message.type === "error" || assetType === undefined) return []
  return [
    {
      channel: CHANNEL_OF[message.type],
      assetType,
      orderId: orderIdOf(recorded),
      userId: null,
      isExtension: false,
      head: headOf(message.type, message.data, message.timestamp)
    }
  ]
}

/** The messages of an event that everybody gets by default. */
export const plainEvent = (recorded: Recorded<PlatformEvent>): StreamEvent => ({
  seq: recorded.seq,
  frames: isOfOrder(recorded) ? publicFrames(recorded) : []
})

interface Told {
  readonly type: "commitment_won" | "commitment_lost" | "commitment_settled"
  readonly data: Readonly<Record<string, string | number | null>>
}

const outcomeOf = ({ outcome }: ChangedCommitment): Told | undefined => {
  switch (outcome?.status) {
    case "won":
      return { type: "commitment_won", data: { clearing_price: outcome.clearingPrice } }
    case "lost":
      return { type: "commitment_lost", data: { reason: outcome.reason } }
    case "settled":
      return {
        type: "commitment_settled",
        data: { profit: outcome.profit, settlement_price: outcome.settlementPrice }
      }
    case undefined:
      return undefined
  }
}

/** All messages of an event that subscriptions may get, given what it changed. */
export const fullEvent = (recorded: OrderEventRecord, { commitments, order }: PublicChange): StreamEvent => {
  const assetType = assetTypeOf(recorded) ?? order?.asset_type
  if (assetType === undefined) return { seq: recorded.seq, frames: [] }
  const orderId = orderIdOf(recorded)
  const timestamp = isoUtc(recorded.event.at)
  const frame = (channel: Channel, type: string, data: object, userId: string | null = null): Frame => ({
    channel,
    assetType,
    orderId,
    userId,
    isExtension: channel !== "my",
    head: headOf(type, data, timestamp)
  })
  const mine = commitments.flatMap((commitment) => {
    const told = outcomeOf(commitment)
    if (told === undefined) return []
    const names = { commitment_id: commitment.commitmentId, order_id: orderId, asset_type: assetType }
    return [frame("my", told.type, { ...names, ...told.data }, commitment.userId)]
  })
  return {
    seq: recorded.seq,
    frames: [
      ...publicFrames(recorded),
      ...(order === null ? [] : [frame("orders", "order_updated", order)]),
      ...commitments.map(({ json }) => frame("commitments", "commitment_updated", json)),
      ...mine
    ]
  }
}

/** A price. It belongs to no event of the log. */
export const priceFrame = (update: PriceUpdate): Frame => {
  const { data, timestamp, type } = priceMessage(update)
  return {
    channel: "prices",
    assetType: update.assetType,
    orderId: null,
    userId: null,
    isExtension: false,
    head: headOf(type, data, timestamp)
  }
}
