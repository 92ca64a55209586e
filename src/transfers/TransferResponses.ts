import { formatPair } from "../../engine/fx/CurrencyPair.ts"
import { format } from "../../engine/money/Amount.ts"
import { format as formatRate } from "../../engine/money/Rate.ts"
import type * as Decided from "../../engine/transfers/TransferError.ts"
import { refuse } from "../api/ApiError.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"
import type * as Refusal from "./TransferRefusal.ts"

/** Seconds after which a price or the desk's money may be there. */
const RETRY_SOON = 5

/** Seconds after which an operator may have looked. */
const RETRY_LATER = 60

const GONE: Readonly<Record<Decided.QuoteGone["reason"], string>> = {
  expired: "no longer holds: ask for another.",
  used: "was used: ask for another.",
  passed: "lies beyond the market by now: ask for another."
}

const wrongField = ({ expected, field }: { readonly field: string; readonly expected: string }) =>
  refuse("unprocessable", `payload.${field}: Expected ${expected}`)

/** What the caller is told of each refusal. */
export const answers = {
  InvalidTransfer: wrongField,
  QuoteMismatch: wrongField,
  NothingPaidOut: ({ least }: Decided.NothingPaidOut) =>
    refuse("unprocessable", `At this rate nothing would be paid out: send at least ${format(least)}.`),
  TooLittle: ({ asset, available, needed }: Refusal.TooLittle) =>
    refuse(
      "unprocessable",
      `${format(needed)} ${asset} are needed and ${format(available)} available: add funds or ask for less.`
    ),
  RecipientBarred: ({ to }: Refusal.RecipientBarred) =>
    refuse("unprocessable", `The account ${to} takes no money now.`),
  RateMoved: ({ rate, worst }: Decided.RateMoved) =>
    refuse("conflict", `The rate is ${formatRate(rate)}, worse than the accepted ${formatRate(worst)}: decide again.`),
  QuoteGone: ({ quoteId, reason }: Decided.QuoteGone) => refuse("conflict", `The rate ${quoteId} ${GONE[reason]}`),
  IdUsed: ({ id }: Refusal.IdUsed) =>
    refuse("conflict", `The id ${id} was used for another transfer: choose another one.`),
  QuoteNotFound: ({ quoteId }: Decided.QuoteNotFound) =>
    refuse("not_found", `There is no held rate ${quoteId} of yours.`),
  RecipientNotFound: ({ to }: Refusal.RecipientNotFound) =>
    refuse("not_found", `There is no user and no beneficiary of yours ${to}: load one with POST /v1/transfers/to.`),
  MoneyGateClosed: ({ message }: MoneyGateClosed) => refuse("access_denied", message),
  NotTheOwner: () => refuse("access_denied", "Only its owner sends money: name your own user id as `from`."),
  NoRate: ({ pair }: Refusal.NoRate) =>
    refuse("unavailable", `There is no rate of ${formatPair(pair)} now.`, RETRY_SOON),
  DeskEmpty: ({ asset }: Refusal.DeskEmpty) =>
    refuse("unavailable", `The desk has too little ${asset} now.`, RETRY_SOON),
  MoneyHalted: () => refuse("unavailable", "No money moves until an operator has looked at the ledger.", RETRY_LATER)
}
