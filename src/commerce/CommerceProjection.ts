import { Effect } from "effect"
import { type ContextProjection, each } from "../database/Projection.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"

/** Writes products and purchase orders within the transaction of their events, in the order of an order's life. */
export const commerceProjection = Effect.gen(function* () {
  const products = yield* ProductRepository
  const orders = yield* PurchaseOrderRepository
  return {
    write: (events) => [
      ...each(events, "ProductListed", products.listed),
      ...each(events, "ProductRevised", products.revised),
      ...each(events, "PurchaseOrderPlaced", orders.placed),
      ...each(events, "PurchaseOrderPaid", orders.paid),
      ...each(events, "PurchaseOrderFulfilled", orders.fulfilled),
      ...each(events, "PurchaseOrderCancelled", orders.cancelled)
    ],
    answers: {}
  } satisfies ContextProjection
})
