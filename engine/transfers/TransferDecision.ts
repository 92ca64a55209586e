/** Decides transfers, with and without an exchange. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { CurrencyPair } from "../fx/CurrencyPair.ts"
import { isAcceptable, type Side, smallestSale, valueAt } from "../fx/FxDesk.ts"
import { type AccountId, accountId, PLATFORM } from "../ledger/Account.ts"
import type { Command, Purpose } from "../ledger/Command.ts"
import { custodyOf, walletOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"
import { quoteSpent } from "./HeldRate.ts"
import { InvalidTransfer, NothingPaidOut, RateMoved, type TransferError } from "./TransferError.ts"
import type { MoneyTransferred, MoneyWithdrawn, Particulars, TransferMode } from "./TransferEvent.ts"

/** What a sender asks for. Specification 2.10. */
export interface TransferRequest extends Particulars {
  /** Unique among the sender's. */
  readonly transferId: string
  readonly sender: string
  readonly recipient: string
  /** Whether the recipient is a beneficiary outside. */
  readonly payout: boolean
  readonly pair: CurrencyPair
  readonly mode: TransferMode
  readonly quantity: Amount
  /** The worst rate that the sender accepts. */
  readonly worst: Rate | null
}

/** What the desk exchanges at: now, or as it held for this sender. */
export interface Offer {
  readonly side: Side
  readonly rate: Rate
  /** Null for the rate of the moment. */
  readonly quoteId: string | null
}

/** What the desk trades a currency with. */
export const deskOf = (asset: string): AccountId => accountId(PLATFORM, asset, "fx_desk")

/** The streams of what an owner sends under the platform's own ids, and of a transfer to which it gave one, which is one event. */
export const transfersStream = (sender: string): string => `transfers/${sender}`
export const transferStream = (sender: string, transferId: string): string => `transfer/${sender}/${transferId}`

/** The stream of what an owner withdraws. */
export const withdrawalsStream = (owner: string): string => `withdrawals/${owner}`

/**
 * Decides a transfer at the desk's offer, null where the mode exchanges nothing. The ledger has the last word on the
 * money of sender and desk, and on whether a held rate was used before.
 */
export const decideTransfer = (
  request: TransferRequest,
  offer: Offer | null,
  at: number
): Result.Result<Entry<MoneyTransferred>, TransferError> => {
  const { mode, pair, payout, quantity, recipient, sender, worst } = request
  const expected = (field: string, expectation: string) =>
    Result.fail(new InvalidTransfer({ field, expected: expectation }))
  if (quantity <= ZERO) return expected("quantity", "more than 0")
  const isExchanged = mode === "international"
  if (isExchanged && pair.base === pair.quote) return expected("pair", "two currencies for an international transfer")
  if (!isExchanged && !payout && sender === recipient) return expected("to", "another owner")
  if (!isExchanged && worst !== null) return expected("fxQuote", "nothing where the mode is local")
  if (!isExchanged) return Result.succeed(entryOf(request, LOCAL, quantity, at))
  if (offer === null || offer.rate <= 0n) return expected("pair", "a pair that the desk quotes now")
  const { rate, side } = offer
  if (worst !== null && !isAcceptable(side, rate, worst)) return Result.fail(new RateMoved({ rate, worst }))
  const value = valueAt(side, quantity, rate)
  if (value === ZERO) return Result.fail(new NothingPaidOut({ least: smallestSale(rate) }))
  return Result.succeed(entryOf(request, offer, value, at))
}

const LOCAL = { side: "Sell", rate: null, quoteId: null } as const

const entryOf = (
  request: TransferRequest,
  { quoteId, rate, side }: Offer | typeof LOCAL,
  value: Amount,
  at: number
): Entry<MoneyTransferred> => {
  const { country, createdDate, description, metadata, mode, pair, payout } = request
  const { quantity, recipient, sender, transferId, worst } = request
  const [taken, received] = side === "Sell" ? [quantity, value] : [value, quantity]
  const event: MoneyTransferred = {
    _tag: "MoneyTransferred",
    at,
    transferId,
    sender,
    recipient,
    payout,
    pair,
    mode,
    side,
    quantity,
    worst,
    quoteId,
    rate,
    taken,
    received,
    country,
    description,
    createdDate,
    ...(metadata === undefined ? {} : { metadata })
  }
  return { commands: transferCommands(event), event }
}

/** Decides a withdrawal. The ledger has the last word on whether the owner has it. */
export const decideWithdrawal = (
  withdrawal: Omit<MoneyWithdrawn, "_tag">
): Result.Result<Entry<MoneyWithdrawn>, InvalidTransfer> => {
  const { asset, at, fundId, owner, quantity, withdrawalId } = withdrawal
  if (quantity <= ZERO) return Result.fail(new InvalidTransfer({ field: "quantity", expected: "more than 0" }))
  const event: MoneyWithdrawn = { _tag: "MoneyWithdrawn", at, withdrawalId, owner, fundId, asset, quantity }
  const id = `withdrawal/${withdrawalId}`
  return Result.succeed({
    commands: [moved(id, walletOf(owner, asset), custodyOf(asset), quantity, "withdrawal")],
    event
  })
}

/** What the sender gives and what the recipient gets. */
export const assetsOf = ({ mode, pair, side }: Pick<MoneyTransferred, "mode" | "pair" | "side">) => {
  if (mode === "local") return { given: pair.base, got: pair.base }
  return side === "Sell" ? { given: pair.base, got: pair.quote } : { given: pair.quote, got: pair.base }
}

const transferCommands = (event: MoneyTransferred): ReadonlyArray<Command> => {
  const { payout, quoteId, rate, received, recipient, sender, taken, transferId } = event
  const { given, got } = assetsOf(event)
  const id = `transfer/${sender}/${transferId}`
  const from = walletOf(sender, given)
  const to = payout ? custodyOf(got) : walletOf(recipient, got)
  if (rate === null) return [moved(id, from, to, taken, payout ? "withdrawal" : "transfer")]
  return [
    ...(quoteId === null ? [] : [quoteSpent(quoteId, id)]),
    moved(`${id}/sold`, from, deskOf(given), taken, "exchange"),
    moved(`${id}/paid`, deskOf(got), to, received, payout ? "withdrawal" : "exchange")
  ]
}

const moved = (id: string, from: AccountId, to: AccountId, amount: Amount, purpose: Purpose): Command => ({
  _tag: "Transfer",
  id,
  from,
  to,
  amount,
  purpose
})
