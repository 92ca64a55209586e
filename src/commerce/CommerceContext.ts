import { Layer } from "effect"
import * as PriceListHandlers from "./PriceListHandlers.ts"
import { PriceListRepository } from "./PriceListRepository.ts"
import { PriceLists } from "./PriceLists.ts"
import { Pricing } from "./Pricing.ts"
import * as ProductHandlers from "./ProductHandlers.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { Products } from "./Products.ts"
import * as PurchaseOrderHandlers from "./PurchaseOrderHandlers.ts"
import { PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"
import { PurchaseOrders } from "./PurchaseOrders.ts"
import { CachedProducts } from "./CachedProducts.ts"

/** The tables that recorded events write. */
export const projected = Layer.mergeAll(ProductRepository.layer, PurchaseOrderRepository.layer)

/** The context's services. */
export const services = Layer.mergeAll(CachedProducts.layer, PriceLists.layer, PurchaseOrders.layer).pipe(
  Layer.provideMerge(Products.layer),
  Layer.provideMerge(Pricing.layer),
  Layer.provide(Layer.merge(projected, PriceListRepository.layer))
)

/** The handlers of its groups. */
export const handlers = Layer.mergeAll(ProductHandlers.layer, PriceListHandlers.layer, PurchaseOrderHandlers.layer)
