import type { Purpose } from "../../../../engine/ledger/Command.ts"

/** What it is called where money comes in, and where it leaves. */
const PHRASES: Readonly<Record<Purpose, readonly [received: string, given: string]>> = {
  mint: ["Money added", "Money taken back"],
  capital: ["Capital received", "Capital given"],
  settlement: ["Arena winnings", "Arena loss"],
  yield: ["Vault yield", "Vault yield returned"],
  insurance: ["Insurance payment", "Insurance contribution"],
  allowance: ["Allowance returned", "Allowance given"],
  purchase: ["Order paid to you", "Order paid"],
  refund: ["Refund received", "Refund given"],
  goods: ["Goods received", "Goods delivered"],
  transfer: ["Transfer received", "Transfer sent"],
  exchange: ["Exchanged in", "Exchanged out"],
  withdrawal: ["Withdrawal returned", "Withdrawal"],
  credit: ["Credit received", "Credit paid back"],
  credits: ["Bot credits returned", "Bot credits bought"],
  collateral: ["Collateral of a bot returned", "Collateral of a bot"]
}

const isPurpose = (purpose: string): purpose is Purpose => Object.hasOwn(PHRASES, purpose)

/** A purpose that is not known here yet, as words. */
const spelled = (purpose: string): string => {
  const spaced = purpose.replaceAll(/[_-]+/g, " ")
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/**
 * What a posting on a fund is called in its statement.
 *
 * @param isIn - whether it came in
 */
export const statementPhrase = (purpose: string, isIn: boolean): string =>
  isPurpose(purpose) ? PHRASES[purpose][isIn ? 0 : 1] : spelled(purpose)
