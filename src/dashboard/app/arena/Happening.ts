import type { SequencedFrame } from "../../../../packages/client/src/WireFrame.ts"

/** Something that just happened in the arena, for a list of the newest. */
export interface Happening {
  /** Unlike any other's. */
  readonly key: string
  readonly kind: "opened" | "bid" | "settled"
  readonly orderId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who bid. */
  readonly trader: "human" | "machine" | undefined
  /** USD: what a bid locked, or what the winner earned. */
  readonly amount: number | undefined
}

/** What a frame tells of; undefined where it only repeats what another one says. */
export const happeningOf = (frame: SequencedFrame): Happening | undefined => {
  const at = Date.parse(frame.timestamp)
  const key = `${frame.seq}/${frame.frame}`
  switch (frame.type) {
    case "order_created":
      return { key, kind: "opened", orderId: frame.data.order_id, at, trader: undefined, amount: undefined }
    case "commitment_submitted": {
      const { collateral, order_id: orderId, trader_type: trader } = frame.data
      return { key, kind: "bid", orderId, at, trader, amount: collateral }
    }
    case "order_settled": {
      const { order_id: orderId, prize_amount: prize, winner_commitment_id: winner } = frame.data
      return { key, kind: "settled", orderId, at, trader: undefined, amount: winner === null ? undefined : prize }
    }
    default:
      return undefined
  }
}
