import { createHash } from "node:crypto"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"

/** An owner's holding of an asset. Specification 2.9. */
export interface Fund {
  readonly id: string
  /** The user's id. */
  readonly owner: string
  readonly asset: string
  /** All units, those that holds reserve included. */
  readonly balance: Amount
  /** Units that holds reserve, such as collateral. */
  readonly held: Amount
}

const DIGITS = 24

/** The id of an owner's fund of an asset where the owner names none: the same each time. */
export const defaultFundId = (owner: string, asset: string): string =>
  `fnd_${createHash("sha256").update(`${owner}/${asset}`).digest("hex").slice(0, DIGITS)}`

/** The fund under the names of the contract. */
export const toAnswer = ({ id, owner, asset, balance, held }: Fund) => ({
  id,
  owner,
  type: asset,
  symbol: balance,
  available: fromUnits(balance - held),
  held
})
