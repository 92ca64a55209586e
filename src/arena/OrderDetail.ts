import { bidPricing } from "../../engine/arena/BidPricing.ts"
import type { OrderCommitment, OrderDetail } from "../api/Arena.ts"
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

/** Who looks at bids that compete. */
export interface Onlooker {
  /** Whether the prices of others' bids are shown only after the choice. */
  readonly sealedBids: boolean
  /** The company that looks, whose own bids it sees; null for everybody. */
  readonly owner: string | null
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

/** Whether somebody may not see what is bid. */
const isSealed = ({ owner, status }: CommitmentView, onlooker: Onlooker): boolean =>
  onlooker.sealedBids && status === "active" && owner !== onlooker.owner

/** Owners and true limits stay unknown until the choice, so that nobody bids against somebody. */
export const competing = (commitment: CommitmentView, onlooker: Onlooker): typeof OrderCommitment.Type => ({
  commitment_id: commitment.commitmentId,
  trader_address: commitment.traderAddress,
  trader_type: commitment.traderType,
  proposed_entry_price: isSealed(commitment, onlooker) ? null : commitment.proposedPrice,
  expected_exit_price: isSealed(commitment, onlooker) ? null : commitment.exitPrice,
  quantity: commitment.quantity,
  collateral: commitment.collateral,
  status: commitment.status,
  owner_id: commitment.status === "active" ? null : commitment.owner,
  slippage_tolerance: commitment.status === "active" ? null : commitment.slippage,
  accepted_at: commitment.status === "active" ? null : commitment.acceptedAt,
  rank: commitment.rank,
  score: commitment.score?.toString() ?? null,
  loss_reason: commitment.reason
})
