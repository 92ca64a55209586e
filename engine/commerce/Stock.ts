import { type AccountId, accountId } from "../ledger/Account.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"

/** The name under which the ledger counts a product. */
export const productAsset = (productId: string): string => `PRODUCT:${productId}`

/** The pieces of a product that its seller has. A piece is one unit of the asset. */
export const stockOf = (sellerId: string, productId: string): AccountId =>
  accountId(sellerId, productAsset(productId), "stock")

/** So many whole pieces as the ledger counts them. */
export const piecesOf = (count: number): Amount => fromUnits(BigInt(count) * ONE)

/** How many whole pieces an amount of a product is. */
export const countOf = (pieces: Amount): number => Number(pieces / ONE)
