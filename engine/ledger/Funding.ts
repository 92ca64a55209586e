/** How money comes in: minting, its allowance, and the platform's own capital. */

import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { type AccountId, accountId, accountParts, PLATFORM } from "./Account.ts"
import type { Transfer } from "./Command.ts"

/** What an owner may mint of one asset in total: 10⁹ units. */
export const MINT_LIMIT: Amount = fromUnits(1_000_000_000n * ONE)

/** Counts nothing. */
const GATE_ASSET = "COMMITMENTS"

/** Counts what an owner may still mint of an asset; not money. */
const mintAsset = (asset: string): string => `${asset}-MINT`

export const custodyOf = (asset: string): AccountId => accountId(PLATFORM, asset, "custody")

export const walletOf = (owner: string, asset: string): AccountId => accountId(owner, asset, "wallet")

/** Nothing moves through it: while it is closed, the owner's commitments are refused. */
export const commitmentGateOf = (owner: string): AccountId => accountId(owner, GATE_ASSET, "allowance")

/** What an owner may still mint of an asset by itself. Empty until {@link grantMintAllowance}. */
export const mintAllowanceOf = (owner: string, asset: string): AccountId =>
  accountId(owner, mintAsset(asset), "allowance")

/** Money that comes into an owner's wallet. `id` is unique among all transfers; `amount` > 0. */
export interface Mint {
  readonly id: string
  readonly owner: string
  readonly asset: string
  readonly amount: Amount
}

/** Mints without a limit. */
export const mint = ({ id, owner, asset, amount }: Mint): Transfer => ({
  _tag: "Transfer",
  id: `mint/${id}`,
  from: custodyOf(asset),
  to: walletOf(owner, asset),
  amount,
  purpose: "mint"
})

/**
 * Mints out of the owner's allowance: the ledger refuses what goes beyond it, in whatever order and number such mints
 * arrive.
 */
export const mintWithinAllowance = (minted: Mint): ReadonlyArray<Transfer> => [
  {
    _tag: "Transfer",
    id: `mint-allowance/${minted.id}`,
    from: mintAllowanceOf(minted.owner, minted.asset),
    to: custodyOf(mintAsset(minted.asset)),
    amount: minted.amount,
    purpose: "allowance"
  },
  mint(minted)
]

/** Gives an owner its {@link MINT_LIMIT} of an asset. To be done once. */
export const grantMintAllowance = (owner: string, asset: string): Transfer => ({
  _tag: "Transfer",
  id: `mint-allowance/${owner}/${asset}`,
  from: custodyOf(mintAsset(asset)),
  to: mintAllowanceOf(owner, asset),
  amount: MINT_LIMIT,
  purpose: "allowance"
})

/** Funds an account of the platform itself. To be done once for each account and purpose. */
export const capital = (account: AccountId, amount: Amount, purpose: string): Transfer => ({
  _tag: "Transfer",
  id: `capital/${account}/${purpose}`,
  from: custodyOf(accountParts(account).asset),
  to: account,
  amount,
  purpose: "capital"
})
