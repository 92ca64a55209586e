import { type Amount, fromUnits } from "../money/Amount.ts"

/**
 * What each of some who draw on accounts has of them: of one that several draw on an even part, so that nothing is there twice.
 * What cannot be divided evenly, less than a unit for each, is left out.
 *
 * @param accountsOf - of each the accounts that it draws on, none of them twice
 */
export const dividedWallets = (
  accountsOf: ReadonlyArray<ReadonlyArray<string>>,
  balanceOf: (account: string) => Amount
): ReadonlyArray<Amount> => {
  const shares = new Map<string, bigint>()
  for (const account of accountsOf.flat()) shares.set(account, (shares.get(account) ?? 0n) + 1n)
  return accountsOf.map((accounts) =>
    fromUnits(accounts.reduce((sum, account) => sum + balanceOf(account) / (shares.get(account) ?? 1n), 0n))
  )
}
