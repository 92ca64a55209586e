import { type Amount, fromUnits } from "../money/Amount.ts"

/** How the vault's yield is divided, in percent. Specification 4.3, `breakdown`. */
export const SHARE_PERCENT = { trader: 70n, insurance: 10n, platform: 15n, tokenHolders: 5n } as const

export interface YieldShares {
  readonly trader: Amount
  readonly insurance: Amount
  readonly platform: Amount
  readonly tokenHolders: Amount
}

/**
 * Divides a yield of at least 0: trader 70, insurance 10, platform 15, token holders 5 percent, each rounded down. What
 * that leaves, less than four units, goes to insurance. The parts sum to the whole.
 */
export const shareYield = (total: Amount): YieldShares => {
  const part = (percent: bigint): Amount => fromUnits((total * percent) / 100n)
  const trader = part(SHARE_PERCENT.trader)
  const platform = part(SHARE_PERCENT.platform)
  const tokenHolders = part(SHARE_PERCENT.tokenHolders)
  return { trader, insurance: fromUnits(total - trader - platform - tokenHolders), platform, tokenHolders }
}
