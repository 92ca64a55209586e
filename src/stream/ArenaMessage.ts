import { type AssetType } from "../../engine/arena/AssetType.ts"
import { type Amount, toNumber } from "../../engine/money/Amount.ts"
import type {
  CommitmentSubmitted,
  OrderCreated,
  OrderSettled,
  PriceUpdate as PriceFrame,
  StreamError
} from "../api/ArenaStreamProtocol.ts"
import { isoLocal, isoUtc } from "../api/Timestamp.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"

type Body<Frame extends { readonly Type: { readonly type: string } }> = Pick<
  Frame["Type"],
  Extract<keyof Frame["Type"], "type" | "data" | "timestamp">
>

/** What everybody is told of an event. Specification 6.4. */
export type EventMessage = Body<typeof OrderCreated> | Body<typeof CommitmentSubmitted> | Body<typeof OrderSettled>

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

/** The public message for a recorded event; undefined if there is none. */
export const messageOf = (event: PlatformEvent): EventMessage | undefined => {
  const timestamp = isoUtc(event.at)
  switch (event._tag) {
    case "OrderOpened":
      return {
        type: "order_created",
        data: {
          order_id: event.terms.orderId,
          asset_type: event.terms.assetType,
          entry_price: toNumber(event.terms.entryPrice),
          settlement_date: isoLocal(event.terms.settlementAt)
        },
        timestamp
      }
    case "CommitmentSubmitted":
      return {
        type: "commitment_submitted",
        data: {
          commitment_id: event.commitment.commitmentId,
          order_id: event.commitment.orderId,
          trader_type: event.commitment.trader.type,
          collateral: toNumber(event.commitment.collateral)
        },
        timestamp
      }
    case "OrderSettled":
      return {
        type: "order_settled",
        data: {
          order_id: event.orderId,
          winner_commitment_id: event.winner?.commitmentId ?? null,
          winner_address: event.winner?.address ?? null,
          prize_amount: event.winner === null || event.profit < 0n ? 0 : toNumber(event.profit),
          yield_distributed: event.winner === null ? 0 : toNumber(event.yieldDistributed)
        },
        timestamp
      }
    case "OrderVoided":
      return {
        type: "order_settled",
        data: {
          order_id: event.orderId,
          winner_commitment_id: null,
          winner_address: null,
          prize_amount: 0,
          yield_distributed: 0
        },
        timestamp
      }
    case "OrderClosed":
    case "WinnerChosen":
    case "FundsMinted":
    case "CapitalFunded":
    case "AllowanceGranted":
      return undefined
  }
}

export const priceMessage = ({ assetType, asset, price, source, at }: PriceUpdate): Body<typeof PriceFrame> => ({
  type: "price_update",
  data: { asset_type: assetType, asset, price: toNumber(price), source },
  timestamp: isoUtc(at)
})

/** The answer to a client's message that the stream does not understand. */
export const errorMessage = (text: string, at: number): Body<typeof StreamError> => ({
  type: "error",
  data: { message: text, code: "invalid_request" },
  timestamp: isoUtc(at)
})
