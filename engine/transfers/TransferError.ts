import { Data } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"

/** unprocessable: the transfer cannot be made as it is. */
export class InvalidTransfer extends Data.TaggedError("InvalidTransfer")<{
  readonly field: string
  readonly expected: string
}> {}

/** conflict: the rate is worse than the worst that the sender accepts. */
export class RateMoved extends Data.TaggedError("RateMoved")<{ readonly rate: Rate; readonly worst: Rate }> {}

/** unprocessable: at this rate nothing would be paid out. */
export class NothingPaidOut extends Data.TaggedError("NothingPaidOut")<{ readonly least: Amount }> {}

export type TransferError = InvalidTransfer | RateMoved | NothingPaidOut

/** not_found: no rate of this id was held for the sender. */
export class QuoteNotFound extends Data.TaggedError("QuoteNotFound")<{ readonly quoteId: string }> {}

/** unprocessable: the rate is held for another pair or size. */
export class QuoteMismatch extends Data.TaggedError("QuoteMismatch")<{
  readonly field: string
  readonly expected: string
}> {}

/** conflict: the rate no longer holds, was used, or the market has moved past it by more than the desk's spread. */
export class QuoteGone extends Data.TaggedError("QuoteGone")<{
  readonly quoteId: string
  readonly reason: "expired" | "used" | "passed"
}> {}

export type QuoteError = QuoteNotFound | QuoteMismatch | QuoteGone
