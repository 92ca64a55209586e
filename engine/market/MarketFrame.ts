/** What a trading program is told in a replay: the frames of the arena's stream, and what a platform answers. */

import type { AssetType } from "../arena/AssetType.ts"
import type { LossReason } from "../arena/Commitment.ts"
import type { PublishedAuction, PublishedBid } from "./PublishedAuction.ts"

/** What a program may hear of, as the stream's channels are called. */
export const MARKET_CHANNELS = ["orders", "commitments", "prices", "my"] as const

export type MarketChannel = (typeof MARKET_CHANNELS)[number]

/** The whole public order without its commitments. */
export type PublicOrder = Omit<PublishedAuction, "commitments">

interface Own {
  readonly commitment_id: string
  readonly order_id: string
}

/** The data of each type of event. Amounts are JSON numbers in USD, times ISO 8601. */
export interface MarketFrameData {
  /** The order is now this: at its opening, at the choice, and at its end. Channel `orders`. */
  readonly order_updated: PublicOrder
  /** A rival's commitment is now this: when it was made, and at the choice. Channel `commitments`. */
  readonly commitment_updated: PublishedBid & { readonly order_id: string }
  /** A price was recorded. Channel `prices`. */
  readonly price_update: {
    readonly asset_type: AssetType | null
    readonly asset: string
    readonly price: number
    /** Whether it was fresh and inside its band: only such prices choose and settle. */
    readonly safe: boolean
  }
  /** What a commitment of one's own was answered with. Channel `my`, as all that follow. */
  readonly commitment_accepted: Own & { readonly collateral_required: number }
  readonly commitment_refused: { readonly order_id: string; readonly code: string; readonly message: string }
  readonly commitment_won: Own & { readonly asset_type: string; readonly clearing_price: number | null }
  readonly commitment_lost: Own & { readonly asset_type: string; readonly reason: LossReason }
  /** Without a price where the order was void, and without a profit where nothing recorded tells it. */
  readonly commitment_settled: Own & {
    readonly asset_type: string
    readonly profit: number | null
    readonly settlement_price: number | null
  }
  /** The time has come that the program asked to be woken at. On no channel: it always comes. */
  readonly woken: Record<never, never>
}

export type MarketFrameType = keyof MarketFrameData

/** One event, as a frame of the stream: `{type, data, timestamp}`. */
export type MarketFrame = {
  readonly [Type in MarketFrameType]: {
    readonly type: Type
    readonly data: MarketFrameData[Type]
    readonly timestamp: string
  }
}[MarketFrameType]

/** What a program hears of that does not say. */
export const USUAL_CHANNELS: ReadonlySet<MarketChannel> = new Set(["orders", "my"])

const isChannel = (name: unknown): name is MarketChannel => MARKET_CHANNELS.some((channel) => channel === name)

/** What is wrong with a list of channels, as the end of a sentence; else the channels. */
export const channelsOf = (given: unknown): ReadonlySet<MarketChannel> | string => {
  if (given === undefined) return USUAL_CHANNELS
  return Array.isArray(given) && given.every(isChannel)
    ? new Set(given)
    : `${JSON.stringify(given)} is no list of ${MARKET_CHANNELS.join(", ")}`
}

/** The channel that an event is told on; undefined where it is told always. */
export const channelOf = (type: MarketFrameType): MarketChannel | undefined => {
  switch (type) {
    case "order_updated":
      return "orders"
    case "commitment_updated":
      return "commitments"
    case "price_update":
      return "prices"
    case "woken":
      return undefined
    default:
      return "my"
  }
}
