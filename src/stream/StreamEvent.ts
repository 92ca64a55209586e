import { Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { type Channel, type CommitmentWon, EventFrame, PriceUpdate as PriceFrame } from "../api/ArenaStreamProtocol.ts"
import { isoUtc } from "../api/Timestamp.ts"
import type { ChangedCommitment, PublicChange } from "../arena/PublicOrders.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { isOf, type PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { type EventMessage, messageOf, priceMessage, type PriceUpdate } from "./ArenaMessage.ts"
import type { CommittedEvent } from "./StreamSource.ts"

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

type OrderEventPlace = Pick<OrderEventRecord, "event" | "seq">

const isOfOrders = isOf("order")

export const isOfOrder = (recorded: Recorded<PlatformEvent>): recorded is Recorded<ArenaEvent> =>
  isOfOrders(recorded.event)

const CHANNEL_OF: Readonly<Record<EventMessage["type"], Channel>> = {
  order_created: "orders",
  commitment_submitted: "commitments",
  order_settled: "settlements"
}

const Told = Schema.Union([...EventFrame.members, PriceFrame])
const encode = encoderOf(Told)

/** A frame as far as it is the same for everybody: where it is numbered, each connection adds its own numbers. */
const headOf = (frame: typeof Told.Type): string => encode(frame).slice(0, -1)

/** The asset type, if the event itself says it. */
const assetTypeOf = ({ event }: OrderEventPlace): AssetType | undefined => {
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

const orderIdOf = ({ event }: OrderEventPlace): string => {
  if (event._tag === "OrderOpened") return event.terms.orderId
  return event._tag === "CommitmentSubmitted" ? event.commitment.orderId : event.orderId
}

const publicFrames = (recorded: OrderEventPlace): ReadonlyArray<Frame> => {
  const message = messageOf(recorded.event)
  const assetType = assetTypeOf(recorded)
  if (message === undefined || assetType === undefined) return []
  return [
    {
      channel: CHANNEL_OF[message.type],
      assetType,
      orderId: orderIdOf(recorded),
      userId: null,
      isExtension: false,
      head: headOf(message)
    }
  ]
}

/** The messages of an event that everybody gets by default. */
export const plainEvent = ({ event, seq }: CommittedEvent): StreamEvent => ({
  seq,
  frames: event !== undefined && isOfOrders(event) ? publicFrames({ event, seq }) : []
})

/** What who made a commitment is told of what came of it. */
const outcomeOf = (
  { commitmentId, outcome }: ChangedCommitment,
  order: Pick<(typeof CommitmentWon.Type)["data"], "order_id" | "asset_type">,
  timestamp: string
): typeof Told.Type | undefined => {
  const names = { commitment_id: commitmentId, ...order }
  switch (outcome?.status) {
    case "won":
      return { type: "commitment_won", data: { ...names, clearing_price: outcome.clearingPrice }, timestamp }
    case "lost":
      return outcome.reason === null
        ? undefined
        : { type: "commitment_lost", data: { ...names, reason: outcome.reason }, timestamp }
    case "settled": {
      const { profit, settlementPrice } = outcome
      return { type: "commitment_settled", data: { ...names, profit, settlement_price: settlementPrice }, timestamp }
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
  const frame = (channel: Channel, told: typeof Told.Type, userId: string | null = null): Frame => ({
    channel,
    assetType,
    orderId,
    userId,
    isExtension: channel !== "my",
    head: headOf(told)
  })
  const mine = commitments.flatMap((commitment) => {
    const told = outcomeOf(commitment, { order_id: orderId, asset_type: assetType }, timestamp)
    return told === undefined ? [] : [frame("my", told, commitment.userId)]
  })
  return {
    seq: recorded.seq,
    frames: [
      ...publicFrames(recorded),
      ...(order === null ? [] : [frame("orders", { type: "order_updated", data: order, timestamp })]),
      ...commitments.map(({ json }) => frame("commitments", { type: "commitment_updated", data: json, timestamp })),
      ...mine
    ]
  }
}

/** A price. It belongs to no event of the log. */
export const priceFrame = (update: PriceUpdate): Frame => ({
  channel: "prices",
  assetType: update.assetType,
  orderId: null,
  userId: null,
  isExtension: false,
  head: headOf(priceMessage(update))
})
