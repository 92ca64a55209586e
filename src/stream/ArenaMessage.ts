import { type AssetType } from "../../engine/arena/AssetType.ts"
import { type Amount, toNumber } from "../../engine/money/Amount.ts"
import { isoLocal, isoUtc } from "../api/Timestamp.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"

/** A message of the stream. Specification 6.4. */
export interface ArenaMessage {
  readonly type: "order_created" | "commitment_submitted" | "order_settled" | "price_update" | "error"
  readonly data: Readonly<Record<string, string | number | null>>
  /** ISO 8601 with Z. */
  readonly timestamp: string
}

/** A price as the stream tells it. */
export interface PriceUpdate {
  readonly assetType: AssetType
  readonly asset: string
  /** USD for one unit. */
  readonly price: Amount
  /** Its source. */
  readonly source: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const message = (type: ArenaMessage["type"], at: number, data: ArenaMessage["data"]): ArenaMessage => ({
  type,
  data,
  timestamp: isoUtc(at)
})

/** The public message for a recorded event; undefined if there is none. */
export const messageOf = (event: PlatformEvent): ArenaMessage | undefined => {
  switch (event._tag) {
    case "OrderOpened":
      return message("order_created", event.at, {
        order_id: event.terms.orderId,
        asset_type: event.terms.assetType,
        entry_price: toNumber(event.terms.entryPrice),
        settlement_date: isoLocal(event.terms.settlementAt)
      })
    case "CommitmentSubmitted":
      return message("commitment_submitted", event.at, {
        commitment_id: event.commitment.commitmentId,
        order_id: event.commitment.orderId,
        trader_type: event.commitment.trader.type,
        collateral: toNumber(event.commitment.collateral)
      })
    case "OrderSettled":
      return message("order_settled", event.at, {
        order_id: event.orderId,
        winner_commitment_id: event.winner?.commitmentId ?? null,
        winner_address: event.winner?.address ?? null,
        prize_amount: event.winner === null || event.profit < 0n ? 0 : toNumber(event.profit),
        yield_distributed: event.winner === null ? 0 : toNumber(event.yieldDistributed)
      })
    case "OrderVoided":
      return message("order_settled", event.at, {
        order_id: event.orderId,
        winner_commitment_id: null,
        winner_address: null,
        prize_amount: 0,
        yield_distributed: 0
      })
    case "OrderClosed":
    case "WinnerChosen":
    case "FundsMinted":
    case "CapitalFunded":
    case "AllowanceGranted":
      return undefined
  }
}

export const priceMessage = ({ assetType, asset, price, source, at }: PriceUpdate): ArenaMessage =>
  message("price_update", at, { asset_type: assetType, asset, price: toNumber(price), source })

/** The answer to a client's message that the stream does not understand. */
export const errorMessage = (text: string, at: number): ArenaMessage =>
  message("error", at, { message: text, code: "invalid_request" })
