import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import { type AccountId, accountId } from "./Account.ts"
import type { Transfer } from "./Command.ts"
import { custodyOf } from "./Funding.ts"

/**
 * The loss limit of a machine trader: realized losses + everything locked + the new collateral ≤ `maxLossPct` of its net
 * funding. The limit is an account: funding adds to it, a commitment holds its collateral there, a loss uses it up, and so
 * the ledger itself refuses what goes beyond. Amounts are in 10⁻⁶ USD.
 */
export const lossLimitOf = (netFunded: Amount, maxLossPct: Amount): Amount =>
  fromUnits((netFunded * maxLossPct) / PERCENT)

const PERCENT = 100n * ONE

/** Counts what a machine trader may still lose; not money. */
const LOSS_ASSET = "USD-ALLOWANCE"

/** The account of what a machine trader may still lose. */
export const lossAllowanceOf = (traderId: string): AccountId => accountId(traderId, LOSS_ASSET, "allowance")

/** Lets a machine trader lose this much. To be done once. */
export const grantLossAllowance = (traderId: string, amount: Amount): Transfer => ({
  _tag: "Transfer",
  id: `loss-allowance/${traderId}`,
  from: custodyOf(LOSS_ASSET),
  to: lossAllowanceOf(traderId),
  amount,
  purpose: "allowance"
})

/** Lets a bot lose so much more, or, of an amount below zero, so much less. `turn` counts the bot's moves of money. */
export const moveLossAllowance = (botId: string, turn: number, amount: Amount): ReadonlyArray<Transfer> => {
  if (amount === ZERO) return []
  const own = lossAllowanceOf(botId)
  const custody = custodyOf(LOSS_ASSET)
  const isGiven = amount > ZERO
  return [
    {
      _tag: "Transfer",
      id: `bot/${botId}/${turn}/limit`,
      from: isGiven ? custody : own,
      to: isGiven ? own : custody,
      amount: isGiven ? amount : fromUnits(-amount),
      purpose: "allowance"
    }
  ]
}
