import type { Aggregate } from "../journal/Aggregate.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { metadataText } from "../metadata/Metadata.ts"
import { listed, type Product, productStream, revised } from "./Product.ts"
import { stockOf } from "./Stock.ts"

/** A row of `products`. */
export const productRow = (product: Product): StateRow => ({
  table: "products",
  values: [
    product.productId,
    product.companyId,
    product.userId,
    product.name,
    product.description,
    `${product.price}`,
    product.type,
    `${product.insurable}`,
    `${product.bidable}`,
    `${product.isContract}`,
    `${product.version}`,
    stockOf(product.companyId, product.productId),
    `${product.createdAt}`,
    `${product.updatedAt}`,
    metadataText(product.metadata)
  ]
})

const after = (before: Product | undefined, event: PlatformEvent): Product => {
  if (event._tag === "ProductListed") return listed(event)
  if (before === undefined || event._tag !== "ProductRevised") {
    throw new RangeError(`${event._tag} of a product that was never listed`)
  }
  return revised(before, event)
}

/** The rows of products, by the name of their stream: a revision says nothing of what stays, nor how often it was one. */
export const products: Aggregate<Product> = {
  of: (event) =>
    event._tag === "ProductListed" || event._tag === "ProductRevised"
      ? { name: productStream(event.productId), isNew: event._tag === "ProductListed" }
      : undefined,
  after: (before, { event }) => after(before, event),
  namesOf: ({ productId }) => [productStream(productId)],
  rows: (product) => [productRow(product)]
}
