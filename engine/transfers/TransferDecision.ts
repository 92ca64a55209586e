import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { CurrencyPair } from "../fx/CurrencyPair.ts"
import { isAcceptable, smallestSale, valueAt } from "../fx/FxDesk.ts"
import { type AccountId, accountId, PLATFORM } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf, walletOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"
import { InvalidTransfer, NothingPaidOut, RateMoved, type TransferError } from "./TransferError.ts"
import type { MoneyTransferred, MoneyWithdrawn, TransferEvent, TransferMode } from "./TransferEvent.ts"

/** What a sender asks for. Specification 2.10. */
export interface TransferRequest {
  /** Unique among all transfers. */
  readonly transferId: string
  readonly sender: string
  readonly recipient: string
  readonly pair: CurrencyPair
  readonly mode: TransferMode
  readonly quantity: Amount
  /** The worst rate that the sender accepts. */
  readonly worst: Rate | null
}

/** What the desk trades a currency with. */
export const deskOf = (asset: string): AccountId => accountId(PLATFORM, asset, "fx_desk")

/**
 * Decides a transfer at the rate that the desk sells for now, or holds for this sender: `sold` is null where the mode
 * exchanges nothing. The ledger has the last word on the money of sender and desk.
 */
export const decideTransfer = (
  request: TransferRequest,
  sold: Rate | null,
  at: number
): Result.Result<Entry<MoneyTransferred>, TransferError> => {
  const { mode, pair, quantity, recipient, sender, transferId, worst } = request
  const expected = (field: string, expectation: string) =>
    Result.fail(new InvalidTransfer({ field, expected: expectation }))
  if (quantity <= ZERO) return expected("quantity", "more than 0")
  const isExchanged = mode === "international"
  if (isExchanged && pair.base === pair.quote) return expected("pair", "two currencies for an international transfer")
  if (!isExchanged && sender === recipient) return expected("to", "another owner")
  if (!isExchanged && worst !== null) return expected("fxQuote", "nothing where the mode is local")
  const rate = isExchanged ? sold : null
  if (isExchanged && rate === null) return expected("pair", "a pair that the desk quotes now")
  if (rate !== null && worst !== null && !isAcceptable("Sell", rate, worst))
    return Result.fail(new RateMoved({ rate, worst }))
  const received = rate === null ? quantity : valueAt("Sell", quantity, rate)
  if (rate !== null && received === ZERO) return Result.fail(new NothingPaidOut({ least: smallestSale(rate) }))
  const event: MoneyTransferred = {
    _tag: "MoneyTransferred",
    at,
    transferId,
    sender,
    recipient,
    pair,
    mode,
    quantity,
    rate,
    received
  }
  return Result.succeed({ commands: transferCommands(event), event })
}

/** Decides a withdrawal. The ledger has the last word on whether the owner has it. */
export const decideWithdrawal = (
  withdrawal: Omit<MoneyWithdrawn, "_tag">
): Result.Result<Entry<MoneyWithdrawn>, InvalidTransfer> => {
  if (withdrawal.quantity <= ZERO) {
    return Result.fail(new InvalidTransfer({ field: "quantity", expected: "more than 0" }))
  }
  const event: MoneyWithdrawn = { _tag: "MoneyWithdrawn", ...withdrawal }
  return Result.succeed({ commands: transferCommands(event), event })
}

/** What a recorded event moved: the same for the decision and for a replay. */
export const transferCommands = (event: TransferEvent): ReadonlyArray<Command> => {
  if (event._tag === "MoneyWithdrawn") {
    const { asset, owner, quantity: amount, withdrawalId } = event
    return [moved(`withdrawal/${withdrawalId}`, walletOf(owner, asset), custodyOf(asset), amount, "withdrawal")]
  }
  const { pair, quantity, rate, received, recipient, sender, transferId } = event
  const from = walletOf(sender, pair.base)
  if (rate === null) {
    return [moved(`transfer/${transferId}`, from, walletOf(recipient, pair.base), quantity, "transfer")]
  }
  return [
    moved(`transfer/${transferId}/sold`, from, deskOf(pair.base), quantity, "exchange"),
    moved(`transfer/${transferId}/paid`, deskOf(pair.quote), walletOf(recipient, pair.quote), received, "exchange")
  ]
}

const moved = (
  id: string,
  from: AccountId,
  to: AccountId,
  amount: Amount,
  purpose: "transfer" | "exchange" | "withdrawal"
): Command => ({ _tag: "Transfer", id, from, to, amount, purpose })
