import { Result, type Effect } from "effect"
import { MARKET_CHANNELS, type MarketChannel } from "../../../engine/market/MarketFrame.ts"
import type { Moment, RefusedBid } from "../../../engine/market/MarketReplay.ts"
import type { BidRequest } from "../../../engine/market/ReplayedAuction.ts"
import { ApiError } from "../../api/ApiError.ts"
import { read } from "../../arena/CommitmentItem.ts"
import type { CommandFailed } from "../CommandFailed.ts"

/** Who trades, as the program is told at the start. Money is in USD. */
export interface TraderTerms {
  readonly owner: string
  readonly trader_type: "human" | "machine"
  readonly balance: number
  readonly latency_ms: number
}

/** What a program does about a moment. */
export interface TraderReply {
  /** Bodies of commitments, as they came. */
  readonly commitments: ReadonlyArray<unknown>
  /** Milliseconds since 1970. */
  readonly wakeAt: number | undefined
}

/** A program that trades, whatever it is written in. */
export interface Trader {
  /** What it wants to hear of. */
  readonly channels: ReadonlySet<MarketChannel>
  /** Tells it what happened, and waits for what it does. */
  readonly take: (moment: Moment, free: number) => Effect.Effect<TraderReply, CommandFailed>
}

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

const orderIdOf = (asked: unknown): string => {
  const id: unknown = typeof asked === "object" && asked !== null && "order_id" in asked ? asked.order_id : ""
  return typeof id === "string" ? id : ""
}

/** Reads a commitment as `/rpc` does, or says why it is none. */
export const bidOf = (asked: unknown): Result.Result<BidRequest, RefusedBid> => {
  const item = read(asked, () => "commitment")
  return item instanceof ApiError
    ? Result.fail({ order_id: orderIdOf(asked), code: item.code, message: item.message })
    : Result.succeed(item)
}
