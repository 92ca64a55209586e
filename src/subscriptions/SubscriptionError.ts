import { Data } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"

/** The caller sees no subscription of this id. */
export class SubscriptionNotFound extends Data.TaggedError("SubscriptionNotFound")<{ readonly id: string }> {}

/** A user subscribes for its own company. */
export class NotOwnCompany extends Data.TaggedError("NotOwnCompany")<{ readonly companyId: string }> {}

/** There is no product of this id. */
export class NoSuchProduct extends Data.TaggedError("NoSuchProduct")<{ readonly productId: string }> {}

/** The wallet has less than a period costs. */
export class PriceNotCovered extends Data.TaggedError("PriceNotCovered")<{
  readonly available: Amount
  readonly needed: Amount
}> {}

/** The seller has fewer pieces than a period takes. */
export class PiecesMissing extends Data.TaggedError("PiecesMissing")<{ readonly left: number }> {}
