import { Schema } from "effect"
import { MyCommitment } from "../api/Arena.ts"
import type { CommitmentView } from "./CommitmentRepository.ts"

/** A commitment as its trader is shown it. Specification 4.3, GET /api/arena/commitments/my. */
export const ownCommitment = (commitment: CommitmentView): typeof MyCommitment.Type => ({
  commitment_id: commitment.commitmentId,
  order_id: commitment.orderId,
  asset_type: commitment.assetType,
  trader_type: commitment.traderType,
  bot_id: commitment.botId,
  proposed_entry_price: commitment.proposedPrice,
  expected_exit_price: commitment.exitPrice,
  quantity: commitment.quantity,
  collateral: commitment.collateral,
  status: commitment.status,
  profit: commitment.profit,
  yield_earned: commitment.yieldEarned,
  loss_reason: commitment.reason,
  created_at: commitment.acceptedAt
})

const encode = Schema.encodeSync(MyCommitment)

/** The same as JSON. */
export const ownCommitmentJson = (commitment: CommitmentView): typeof MyCommitment.Encoded =>
  encode(ownCommitment(commitment))
