import { Effect } from "effect"
import { productOf } from "../../engine/commerce/Product.ts"
import { products } from "../../engine/commerce/ProductRows.ts"
import { purchases } from "../../engine/commerce/PurchaseRows.ts"
import { aggregates, type ContextProjection } from "../database/Projection.ts"
import { ProjectedStreams } from "../database/ProjectedStreams.ts"
import { ProductRepository } from "./ProductRepository.ts"

/** The rows of products and of purchase orders. */
export const commerceProjection = Effect.gen(function* () {
  const { states } = yield* ProductRepository
  const streams = yield* ProjectedStreams
  return {
    aggregates: [
      aggregates(products, (names) => states(names.map(productOf))),
      aggregates(purchases, streams.each(purchases))
    ],
    answers: {}
  } satisfies ContextProjection
})
