import type { MyCommitment, OrderCommitment } from "../api/Arena.ts"
import type { CommitmentView } from "./CommitmentRepository.ts"

/** Who looks at bids that compete. */
export interface Onlooker {
  /** Whether the prices of others' bids are shown only after the choice. */
  readonly sealedBids: boolean
  /** The company that looks, whose own bids it sees; null for everybody. */
  readonly owner: string | null
}

const shown = (commitment: CommitmentView) => ({
  commitment_id: commitment.commitmentId,
  trader_type: commitment.traderType,
  proposed_entry_price: commitment.proposedPrice,
  expected_exit_price: commitment.exitPrice,
  quantity: commitment.quantity,
  collateral: commitment.collateral,
  status: commitment.status,
  loss_reason: commitment.reason
})

/** A commitment as its trader is shown it. Specification 4.3, GET /api/arena/commitments/my. */
export const ownCommitment = (commitment: CommitmentView): typeof MyCommitment.Type => ({
  ...shown(commitment),
  order_id: commitment.orderId,
  asset_type: commitment.assetType,
  bot_id: commitment.botId,
  profit: commitment.profit,
  yield_earned: commitment.yieldEarned,
  created_at: commitment.acceptedAt
})

/** What nobody sees of others' bids before the choice. */
const SEALED = { proposed_entry_price: null, expected_exit_price: null }

/**
 * A commitment as its order's detail shows it. Owners and true limits stay unknown until the choice, so that nobody bids
 * against somebody.
 */
export const competing = (commitment: CommitmentView, { owner, sealedBids }: Onlooker): typeof OrderCommitment.Type => {
  const competes = commitment.status === "active"
  return {
    ...shown(commitment),
    ...(sealedBids && competes && commitment.owner !== owner ? SEALED : {}),
    trader_address: commitment.traderAddress,
    owner_id: competes ? null : commitment.owner,
    slippage_tolerance: competes ? null : commitment.slippage,
    accepted_at: competes ? null : commitment.acceptedAt,
    rank: commitment.rank,
    score: commitment.score?.toString() ?? null
  }
}
