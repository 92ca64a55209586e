/** The refusals of a commitment, as values. */

import { type Amount, format } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"
import type { OrderStatus } from "./Order.ts"
import { refusal } from "../wire/Refusal.ts"
import { timeText } from "../wire/WireValue.ts"

/** Trading is paused, everywhere or in one asset type. */
export class CircuitBreakerOpen extends refusal(
  "CircuitBreakerOpen",
  "ARENA_009",
  ({ retryAfterSeconds, scope }: { readonly scope: "global" | AssetType; readonly retryAfterSeconds: number }) =>
    scope === "global"
      ? `Trading is paused by the circuit breaker: try again in ${retryAfterSeconds} seconds.`
      : `Trading in ${scope} is paused by its circuit breaker: try again in ${retryAfterSeconds} seconds.`
) {}

/** ARENA_001 */
export class OrderNotFound extends refusal(
  "OrderNotFound",
  "ARENA_001",
  ({ orderId }: { readonly orderId: string }) => `There is no order ${orderId}: list /api/arena/orders to find one.`
) {}

/** The order is settled or void. */
export class OrderNotOpen extends refusal(
  "OrderNotOpen",
  "ARENA_003",
  ({ orderId, status }: { readonly orderId: string; readonly status: OrderStatus }) =>
    `Order ${orderId} is ${status}: commit to one that is open or competing.`
) {}

/** The time to commit is over, even where the order's own timer is late. */
export class WindowClosed extends refusal(
  "WindowClosed",
  "ARENA_004",
  ({ expiredAt, orderId }: { readonly orderId: string; readonly expiredAt: number }) =>
    `The commitment window of order ${orderId} closed at ${timeText(expiredAt)}: choose another order.`
) {}

/** No active machine trader of this id belongs to the caller. */
export class MachineNotRegistered extends refusal(
  "MachineNotRegistered",
  "ARENA_006",
  ({ botId }: { readonly botId: string }) => `No active machine trader ${botId} is registered for this account.`
) {}

/** The caller may not commit to this order at all. */
export class AccessDenied extends refusal(
  "AccessDenied",
  "access_denied",
  ({ reason }: { readonly reason: string }) => reason
) {}

/** A price, quantity or tolerance is outside its range. */
export class InvalidTerms extends refusal(
  "InvalidTerms",
  "ARENA_005",
  ({ expected, field }: { readonly field: string; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

/** The machine trader's remaining allowance does not cover the collateral. */
export class LossLimitReached extends refusal(
  "LossLimitReached",
  "loss_limit",
  ({ available, botId, needed }: { readonly botId: string; readonly needed: Amount; readonly available: Amount }) =>
    `Machine trader ${botId} may risk ${format(available)} USD more and this needs ${format(needed)} USD: ` +
    "lower the quantity or wait for open commitments to settle."
) {}

/** The vault takes no new deposits. */
export class VaultClosed extends refusal("VaultClosed", "ARENA_008") {}

/** The balance does not cover the collateral. */
export class InsufficientCollateral extends refusal(
  "InsufficientCollateral",
  "ARENA_002",
  ({ available, needed }: { readonly needed: Amount; readonly available: Amount }) =>
    `The collateral is ${format(needed)} USD and ${format(available)} USD is free: add funds or lower the quantity.`
) {}

/** The owner's kill switch is pulled. */
export class CommitmentsHalted extends refusal("CommitmentsHalted", "commitments_halted") {}

/** The bot's decision was carried out before. */
export class AlreadyCommitted extends refusal(
  "AlreadyCommitted",
  "conflict",
  ({ decisionId }: { readonly decisionId: string }) => `The decision ${decisionId} was committed before.`
) {}

/** The owner already has as many commitments on this order as one may have. */
export class TooManyCommitments extends refusal(
  "TooManyCommitments",
  "rate_limited",
  ({ limit }: { readonly limit: number }) =>
    `One owner may hold ${limit} commitments on an order: choose another order.`
) {}

/** The order has as many commitments as one may have. */
export class OrderFull extends refusal(
  "OrderFull",
  "rate_limited",
  ({ limit }: { readonly limit: number }) => `An order takes ${limit} commitments: choose another order.`
) {}

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
  | OrderFull
  | AlreadyCommitted
  | CommitmentsHalted
