import { type Amount, format } from "../money/Amount.ts"
import { type Rate, format as formatRate } from "../money/Rate.ts"
import { refusal } from "../wire/Refusal.ts"

/** The transfer cannot be made as it is. */
export class InvalidTransfer extends refusal(
  "InvalidTransfer",
  "unprocessable",
  ({ expected, field }: { readonly field: string; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

/** The rate is worse than the worst that the sender accepts. */
export class RateMoved extends refusal(
  "RateMoved",
  "conflict",
  ({ rate, worst }: { readonly rate: Rate; readonly worst: Rate }) =>
    `The rate is ${formatRate(rate)}, worse than the accepted ${formatRate(worst)}: decide again.`
) {}

/** At this rate nothing would be paid out. */
export class NothingPaidOut extends refusal(
  "NothingPaidOut",
  "unprocessable",
  ({ least }: { readonly least: Amount }) => `At this rate nothing would be paid out: send at least ${format(least)}.`
) {}

export type TransferError = InvalidTransfer | RateMoved | NothingPaidOut

/** No rate of this id was held for the sender. */
export class QuoteNotFound extends refusal(
  "QuoteNotFound",
  "not_found",
  ({ quoteId }: { readonly quoteId: string }) => `There is no held rate ${quoteId} of yours.`
) {}

/** The rate is held for another pair or size. */
export class QuoteMismatch extends refusal(
  "QuoteMismatch",
  "unprocessable",
  ({ expected, field }: { readonly field: string; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

const GONE = {
  expired: "no longer holds: ask for another.",
  used: "was used: ask for another.",
  passed: "lies beyond the market by now: ask for another."
} as const

/** The rate no longer holds, was used, or the market has moved past it by more than the desk's spread. */
export class QuoteGone extends refusal(
  "QuoteGone",
  "conflict",
  ({ quoteId, reason }: { readonly quoteId: string; readonly reason: "expired" | "used" | "passed" }) =>
    `The rate ${quoteId} ${GONE[reason]}`
) {}

export type QuoteError = QuoteNotFound | QuoteMismatch | QuoteGone
