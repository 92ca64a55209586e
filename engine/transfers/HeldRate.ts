/** A held rate: how it is granted, what it serves for, and its one use. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { CurrencyPair } from "../fx/CurrencyPair.ts"
import { QUOTE_HELD_FOR, type Side, smallestSale, valueAt } from "../fx/FxDesk.ts"
import { type AccountId, accountId } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import { type Amount, format, ONE, ZERO } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"
import { InvalidTransfer, NothingPaidOut, QuoteGone, QuoteMismatch } from "./TransferError.ts"
import type { RateQuoted } from "./TransferEvent.ts"

/** Counts how often held rates may still be used; not money. */
const QUOTE_ASSET = "FX-QUOTE"

/** One unit until the rate is used: the ledger lets nobody use it twice. */
export const quoteUseOf = (quoteId: string): AccountId => accountId(quoteId, QUOTE_ASSET, "allowance")

export const quoteStream = (quoteId: string): string => `fx-quote/${quoteId}`

/** What an owner wants a rate for. */
export interface QuoteRequest {
  readonly quoteId: string
  readonly owner: string
  readonly pair: CurrencyPair
  readonly side: Side
  /** Of the base. */
  readonly quantity: Amount
}

/** Decides to hold a rate. */
export const decideQuote = (
  { owner, pair, quantity, quoteId, side }: QuoteRequest,
  rate: Rate,
  at: number
): Result.Result<Entry<RateQuoted>, InvalidTransfer | NothingPaidOut> => {
  if (quantity <= ZERO) return Result.fail(new InvalidTransfer({ field: "quantity", expected: "more than 0" }))
  if (pair.base === pair.quote) return Result.fail(new InvalidTransfer({ field: "pair", expected: "two currencies" }))
  if (rate <= 0n) return Result.fail(new InvalidTransfer({ field: "pair", expected: "a pair that the desk quotes" }))
  const value = valueAt(side, quantity, rate)
  if (value === ZERO) return Result.fail(new NothingPaidOut({ least: smallestSale(rate) }))
  const event: RateQuoted = {
    _tag: "RateQuoted",
    at,
    quoteId,
    owner,
    pair,
    side,
    quantity,
    rate,
    value,
    expiresAt: at + QUOTE_HELD_FOR
  }
  const granted: Command = {
    _tag: "Transfer",
    id: `fx-quote/${quoteId}`,
    from: custodyOf(QUOTE_ASSET),
    to: quoteUseOf(quoteId),
    amount: ONE,
    purpose: "allowance"
  }
  return Result.succeed({ commands: [granted], event })
}

/** The use of a held rate. `by` is whose: another use has another posting, so that it is the ledger that refuses it. */
export const quoteSpent = (quoteId: string, by: string): Command => ({
  _tag: "Transfer",
  id: `fx-quote/${quoteId}/${by}`,
  from: quoteUseOf(quoteId),
  to: custodyOf(QUOTE_ASSET),
  amount: ONE,
  purpose: "allowance"
})

/** Whether a held rate serves an exchange at this time, for its owner. That it is used once is the ledger's to say. */
export const checkQuote = (
  quote: Pick<RateQuoted, "quoteId" | "pair" | "quantity" | "expiresAt">,
  wanted: Pick<QuoteRequest, "pair" | "quantity">,
  at: number
): Result.Result<void, QuoteMismatch | QuoteGone> => {
  const { expiresAt, pair, quantity, quoteId } = quote
  const mismatch = (field: string, expected: string) => Result.fail(new QuoteMismatch({ field, expected }))
  if (pair.base !== wanted.pair.base || pair.quote !== wanted.pair.quote) {
    return mismatch("pair", `${pair.base}/${pair.quote}, which the rate is held for`)
  }
  if (quantity !== wanted.quantity) {
    return mismatch("quantity", `${format(quantity)}, which the rate is held for`)
  }
  return at < expiresAt ? Result.void : Result.fail(new QuoteGone({ quoteId, reason: "expired" }))
}
