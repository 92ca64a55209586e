/** The refusals of a commitment, as values. */

import { Data } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"
import type { OrderStatus } from "./Order.ts"

/** ARENA_009: trading is paused, everywhere or in one asset type. */
export class CircuitBreakerOpen extends Data.TaggedError("CircuitBreakerOpen")<{
  readonly scope: "global" | AssetType
  readonly retryAfterSeconds: number
}> {}

/** ARENA_001 */
export class OrderNotFound extends Data.TaggedError("OrderNotFound")<{ readonly orderId: string }> {}

/** ARENA_003: the order is settled or void. */
export class OrderNotOpen extends Data.TaggedError("OrderNotOpen")<{
  readonly orderId: string
  readonly status: OrderStatus
}> {}

/** ARENA_004: the time to commit is over, even where the order's own timer is late. */
export class WindowClosed extends Data.TaggedError("WindowClosed")<{
  readonly orderId: string
  readonly expiredAt: number
}> {}

/** ARENA_006: no active machine trader of this id belongs to the caller. */
export class MachineNotRegistered extends Data.TaggedError("MachineNotRegistered")<{ readonly botId: string }> {}

/** access_denied: the caller may not commit to this order at all. */
export class AccessDenied extends Data.TaggedError("AccessDenied")<{ readonly reason: string }> {}

/** ARENA_005: a price, quantity or tolerance is outside its range. */
export class InvalidTerms extends Data.TaggedError("InvalidTerms")<{
  readonly field: string
  readonly expected: string
}> {}

/** loss_limit: the machine trader's remaining allowance does not cover the collateral. */
export class LossLimitReached extends Data.TaggedError("LossLimitReached")<{
  readonly botId: string
  readonly needed: Amount
  readonly available: Amount
}> {}

/** ARENA_008: the vault takes no new deposits. */
export class VaultClosed extends Data.TaggedError("VaultClosed")<Record<never, never>> {}

/** ARENA_002: the balance does not cover the collateral. */
export class InsufficientCollateral extends Data.TaggedError("InsufficientCollateral")<{
  readonly needed: Amount
  readonly available: Amount
}> {}

/** commitments_halted: the owner's kill switch is pulled. */
export class CommitmentsHalted extends Data.TaggedError("CommitmentsHalted")<Record<never, never>> {}

/** conflict: the bot's decision was carried out before. */
export class AlreadyCommitted extends Data.TaggedError("AlreadyCommitted")<{ readonly decisionId: string }> {}

/** rate_limited: the owner already has as many commitments on this order as one may have. */
export class TooManyCommitments extends Data.TaggedError("TooManyCommitments")<{ readonly limit: number }> {}

/** Every reason to refuse a commitment. */
export type ArenaError =
  | CircuitBreakerOpen
  | OrderNotFound
  | OrderNotOpen
  | WindowClosed
  | MachineNotRegistered
  | AccessDenied
  | InvalidTerms
  | LossLimitReached
  | VaultClosed
  | InsufficientCollateral
  | TooManyCommitments
  | AlreadyCommitted
  | CommitmentsHalted
