import { bidPricing } from "../../engine/arena/BidPricing.ts"
import type { OrderDetail } from "../api/Arena.ts"
import { competing, type Onlooker } from "./CommitmentObject.ts"
import { chainPosition } from "./CommitmentReceipt.ts"
import type { CommitmentView } from "./CommitmentRepository.ts"
import type { OrderView } from "./OrderRepository.ts"

/** What lists and details of orders share. Specification 2.16. */
export const orderFields = (order: OrderView) => ({
  order_id: order.orderId,
  asset_type: order.assetType,
  quantity: order.quantity,
  entry_price: order.entryPrice,
  settlement_date: order.settlementAt,
  expiry_date: order.expiryAt,
  status: order.status,
  market_maker: order.makerAddress,
  onchain_order_id: chainPosition(order.orderId, 1)
})

const parsed = <A>(json: string): A => JSON.parse(json)

/** The public part of a 3/4 rule's outcome, as its event encodes it. */
interface StoredFairness {
  readonly rule: string
  readonly machines: string
  readonly total: string
  readonly machineOwners: ReadonlyArray<string>
}

/** An order with its commitments, as somebody may see it. Specification 4.3. */
export const detailed = (
  order: OrderView,
  commitments: ReadonlyArray<CommitmentView>,
  onlooker: Onlooker
): typeof OrderDetail.Type => ({
  ...orderFields(order),
  asset_details: parsed<Record<string, string | number>>(order.details),
  opened_at: order.openedAt,
  commitments: commitments.map((commitment) => competing(commitment, onlooker)),
  bids: onlooker.sealedBids ? "sealed" : "open",
  maker_discount: order.makerDiscount,
  reference_price: order.referencePrice,
  reserve_price: reserveOf(order),
  clearing_price: order.clearingPrice,
  settlement_price: order.settlementPrice,
  winner_commitment_id: order.winnerCommitmentId,
  void_reason: order.voidReason,
  tie_key_hash: order.tieKeyHash,
  tie_key: order.tieKey,
  fairness: order.fairness === null ? null : fairnessOf(parsed(order.fairness))
})

const reserveOf = ({ entryPrice, makerDiscount, referencePrice }: OrderView) => {
  if (referencePrice === null) return null
  return bidPricing({ entryPrice, ...(makerDiscount !== null && { makerDiscount }) }, referencePrice).reserve
}

const fairnessOf = (stored: StoredFairness) => ({
  rule: stored.rule,
  machines: stored.machines,
  total: stored.total,
  machine_owners: stored.machineOwners
})
