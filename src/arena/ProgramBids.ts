import { Context, Layer, Result } from "effect"
import type { RefusedBid } from "../../engine/market/MarketReplay.ts"
import type { BidRequest } from "../../engine/market/ReplayedAuction.ts"
import { ApiError } from "../api/ApiError.ts"
import { read } from "./CommitmentItem.ts"

const orderIdOf = (asked: unknown): string => {
  const id: unknown = typeof asked === "object" && asked !== null && "order_id" in asked ? asked.order_id : ""
  return typeof id === "string" ? id : ""
}

/** Reads what a trading program asks for as `/rpc` reads a commitment, or says why it is none. */
export const bidOf = (asked: unknown): Result.Result<BidRequest, RefusedBid> => {
  const item = read(asked, () => "commitment")
  return item instanceof ApiError
    ? Result.fail({ order_id: orderIdOf(asked), code: item.code, message: item.message })
    : Result.succeed(item)
}

/** What trading programs ask for, as the arena reads it. */
export class ProgramBids extends Context.Service<ProgramBids, { readonly read: typeof bidOf }>()(
  "emporion/arena/ProgramBids"
) {
  static readonly layer = Layer.succeed(this, ProgramBids.of({ read: bidOf }))
}
