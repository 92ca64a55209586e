import type { ProductFacts } from "./Product.ts"

/** Who acted: the user behind the request, and its company. */
interface Act {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly userId: string
  readonly companyId: string
  readonly productId: string
}

/** A company offers a product, and has so many pieces of it. */
export interface ProductListed extends Act {
  readonly _tag: "ProductListed"
  readonly facts: ProductFacts
  /** Whole pieces, from 0. */
  readonly pieces: number
}

/** How many pieces came in, or went out where it is negative, so that so many are available. */
export interface Restock {
  readonly available: number
  readonly moved: number
}

/** The seller changed what it says of a product, or how many pieces are available. */
export interface ProductRevised extends Act {
  readonly _tag: "ProductRevised"
  readonly changes: Partial<ProductFacts>
  /** Null where the stock stays as it is. */
  readonly stock: Restock | null
}

export type ProductEvent = ProductListed | ProductRevised
