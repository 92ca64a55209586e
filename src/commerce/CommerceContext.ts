import { Layer } from "effect"
import { Pricing } from "./Pricing.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { Products } from "./Products.ts"
import { PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"
import { PurchaseOrders } from "./PurchaseOrders.ts"

/** The tables that recorded events write. */
export const projected = Layer.mergeAll(ProductRepository.layer, PurchaseOrderRepository.layer)

/** The context's services. */
export const services = Layer.mergeAll(Products.layer, PurchaseOrders.layer).pipe(
  Layer.provideMerge(Pricing.layer),
  Layer.provide(projected)
)
