import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import { fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { MARK } from "./StreamPublishing.ts"

const TRADER = {
  owner: "cmp_stream",
  userId: "usr_stream",
  address: "usr_stream",
  type: "human",
  botId: null,
  account: accountId("usr_stream", "USD", "wallet"),
  allowance: null
} as const

/** A commitment whose id tells when it was published. */
export const commitmentAt = (ordinal: number, micros: number, orderId: string): CommitmentSubmitted => ({
  _tag: "CommitmentSubmitted",
  at: Math.floor(micros / 1_000),
  commitment: {
    commitmentId: `${ordinal}_${MARK}${micros}`,
    orderId,
    ordinal,
    assetType: "fx",
    trader: TRADER,
    proposedPrice: fromUnits(100n * ONE),
    exitPrice: fromUnits(110n * ONE),
    quantity: fromUnits(1_000n),
    slippage: ZERO,
    swapExecutor: "",
    collateral: fromUnits(381n),
    acceptedAt: Math.floor(micros / 1_000),
    status: "active",
    reason: null,
    profit: ZERO,
    yieldEarned: ZERO
  }
})
