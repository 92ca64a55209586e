import type { AccountId } from "../ledger/Account.ts"
import { walletOf } from "../ledger/Funding.ts"
import type { ProductListed, ProductRevised } from "./ProductEvent.ts"
import type { ProductFacts } from "./ProductFacts.ts"

/** The most pieces of one product. */
export const MAX_STOCK = 1_000_000_000

/** A product as its events make it; its pieces are counted by the ledger. */
export interface Product extends ProductFacts {
  readonly productId: string
  /** The seller. */
  readonly companyId: string
  /** Who listed it, and is paid for it. */
  readonly userId: string
  /** The number of its events. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The stream of a product's events. */
export const productStream = (productId: string): string => `product/${productId}`

/** Whose events a stream has. */
export const productOf = (stream: string): string => stream.slice(productStream("").length)

/** Where a product is paid: the USD wallet of who listed it. */
export const takingsOf = ({ userId }: Pick<Product, "userId">): AccountId => walletOf(userId, "USD")

export const listed = ({ at, companyId, facts, productId, userId }: ProductListed): Product => ({
  ...facts,
  productId,
  companyId,
  userId,
  version: 1,
  createdAt: at,
  updatedAt: at
})

/** The product after it was revised. */
export const revised = (product: Product, { at, changes }: ProductRevised): Product => ({
  ...product,
  ...changes,
  version: product.version + 1,
  updatedAt: at > product.updatedAt ? at : product.updatedAt
})
