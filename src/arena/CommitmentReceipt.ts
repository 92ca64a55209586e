import type { Recorded } from "../../engine/actor/Journal.ts"
import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { toNumber } from "../../engine/money/Amount.ts"

/** What the trader is answered, here and on every retry. Specification 4.3, POST /api/arena/commitments. */
export interface CommitmentReceipt {
  readonly success: true
  readonly message: string
  readonly data: {
    readonly commitment_id: string
    readonly onchain_commitment_id: string
    readonly transaction_hash: string
    readonly collateral_required: Amount
    readonly status: "active"
  }
}

/** The position of an event in its order's hash chain. */
export const chainPosition = (orderId: string, version: number): string => `${orderStream(orderId)}:${version}`

export const receiptOf = (recorded: Recorded<CommitmentSubmitted>): CommitmentReceipt => {
  const { commitment } = recorded.event
  return {
    success: true,
    message: "Commitment accepted",
    data: {
      commitment_id: commitment.commitmentId,
      onchain_commitment_id: chainPosition(commitment.orderId, recorded.version),
      transaction_hash: `0x${recorded.hash}`,
      collateral_required: commitment.collateral,
      status: "active"
    }
  }
}

/** The receipt as JSON text: the bytes that a retry under the same Idempotency-Key gets. */
export const receiptJson = (recorded: Recorded<CommitmentSubmitted>): string => {
  const receipt = receiptOf(recorded)
  return JSON.stringify({
    ...receipt,
    data: { ...receipt.data, collateral_required: toNumber(receipt.data.collateral_required) }
  })
}
