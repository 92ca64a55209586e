import type { Recorded } from "../../engine/actor/Journal.ts"
import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import type { Receipt } from "../api/Arena.ts"

/** The position of an event in its order's hash chain. */
export const chainPosition = (orderId: string, version: number): string => `${orderStream(orderId)}:${version}`

/** What is told of an accepted commitment, over HTTP and on the fast lane. Specification 4.3. */
export const acceptedOf = ({ event, hash, version }: Recorded<CommitmentSubmitted>) => ({
  commitment_id: event.commitment.commitmentId,
  onchain_commitment_id: chainPosition(event.commitment.orderId, version),
  transaction_hash: `0x${hash}`,
  collateral_required: event.commitment.collateral,
  status: "active" as const
})

/** What the trader is answered, here and on every retry. Specification 4.3, POST /api/arena/commitments. */
export const receiptOf = (recorded: Recorded<CommitmentSubmitted>): typeof Receipt.Type => ({
  success: true,
  message: "Commitment accepted",
  data: acceptedOf(recorded)
})
