import { type CurrencyPair, formatPair } from "../fx/CurrencyPair.ts"
import { type Amount, format } from "../money/Amount.ts"
import { type Rate, format as formatRate } from "../money/Rate.ts"
import { refusal } from "../wire/Refusal.ts"

/** Seconds after which a price or the desk's money may be there. */
const RETRY_SOON = 5

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

/** The sender made another transfer under this id. */
export class IdUsed extends refusal(
  "IdUsed",
  "conflict",
  ({ id }: { readonly id: string }) => `The id ${id} was used for another transfer: choose another one.`
) {}

/** The owner has too little of the asset that nothing reserves. */
export class TooLittle extends refusal(
  "TooLittle",
  "unprocessable",
  ({ asset, available, needed }: { readonly asset: string; readonly available: Amount; readonly needed: Amount }) =>
    `${format(needed)} ${asset} are needed and ${format(available)} available: add funds or ask for less.`
) {}

/** There is no price now that the desk would exchange at. */
export class NoRate extends refusal(
  "NoRate",
  "unavailable",
  ({ pair }: { readonly pair: CurrencyPair }) => `There is no rate of ${formatPair(pair)} now.`,
  { retryAfterSeconds: RETRY_SOON }
) {}

/** The desk has too little of the asset. */
export class DeskEmpty extends refusal(
  "DeskEmpty",
  "unavailable",
  ({ asset }: { readonly asset: string }) => `The desk has too little ${asset} now.`,
  { retryAfterSeconds: RETRY_SOON }
) {}

/** Every reason for which money that may move does not. */
export type SendingError = TransferError | QuoteError | IdUsed | TooLittle | NoRate | DeskEmpty
