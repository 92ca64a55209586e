/** Decides on products: listing and revising them and their pieces. */

import { metadataText } from "../metadata/Metadata.ts"
import type { Entry } from "../actor/Journal.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import type { Product } from "./Product.ts"
import type { ProductFacts } from "./ProductFacts.ts"
import type { ProductEvent, ProductListed, ProductRevised } from "./ProductEvent.ts"
import { piecesOf, productAsset, stockOf } from "./Stock.ts"

/** Who acts, for which company, and when. */
export interface Merchant {
  readonly userId: string
  readonly companyId: string
  readonly at: number
}

/** What a seller wants to be different. */
export interface Revision {
  readonly facts: Partial<ProductFacts>
  /** Whole pieces that are to be available. */
  readonly available?: number | undefined
}

const same = ({ metadata, ...facts }: Partial<ProductFacts>, product: ProductFacts): boolean =>
  Object.entries(facts).every(([name, value]) => product[name as keyof ProductFacts] === value) &&
  (metadata === undefined || metadataText(metadata) === metadataText(product.metadata))

/** Offers a new product with its first pieces. */
export const list = (
  { facts, pieces, productId }: Pick<ProductListed, "facts" | "pieces" | "productId">,
  { at, companyId, userId }: Merchant
): Entry<ProductListed> => {
  const event: ProductListed = { _tag: "ProductListed", at, userId, companyId, productId, facts, pieces }
  return { commands: commandsOf(undefined, event), event }
}

/**
 * Changes a product of which so many pieces are available now: undefined where that changes nothing. Pieces that orders
 * have taken meanwhile are taken from what it sets.
 */
export const revise = (
  product: Product,
  availableNow: number,
  { available = availableNow, facts }: Revision,
  { at, companyId, userId }: Merchant
): Entry<ProductRevised> | undefined => {
  const moved = available - availableNow
  if (moved === 0 && same(facts, product)) return undefined
  const { productId } = product
  const stock = moved === 0 ? null : { available, moved }
  const event: ProductRevised = { _tag: "ProductRevised", at, userId, companyId, productId, changes: facts, stock }
  return { commands: commandsOf(product, event), event }
}

/** What an event asks of the ledger. The product is as it was before; undefined before its listing. */
export const commandsOf = (product: Product | undefined, event: ProductEvent): ReadonlyArray<Command> => {
  const moved = event._tag === "ProductListed" ? event.pieces : (event.stock?.moved ?? 0)
  if (moved === 0) return []
  const outside = custodyOf(productAsset(event.productId))
  const stock = stockOf(product?.companyId ?? event.companyId, event.productId)
  const id = `product/${event.productId}/${(product?.version ?? 0) + 1}`
  return [
    moved > 0
      ? { _tag: "Transfer", id, from: outside, to: stock, amount: piecesOf(moved), purpose: "goods" }
      : { _tag: "Transfer", id, from: stock, to: outside, amount: piecesOf(-moved), purpose: "goods" }
  ]
}
