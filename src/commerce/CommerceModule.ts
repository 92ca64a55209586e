import { Effect, Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { CachedProducts } from "./CachedProducts.ts"
import { commerceProjection } from "./CommerceProjection.ts"
import { DueInstalments } from "./DueInstalments.ts"
import * as OverdueWorker from "./OverdueWorker.ts"
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

const tables = Layer.mergeAll(ProductRepository.layer, PurchaseOrderRepository.layer)

/** Products, their prices, and purchase orders. */
export const module = {
  ...nothing,
  personal: [{ table: "price_lists", subject: "seller_company_id", columns: { name: "erased" } }],
  rows: Effect.all([commerceProjection]),
  tables,
  services: Layer.mergeAll(CachedProducts.layer, PriceLists.layer, PurchaseOrders.layer, DueInstalments.layer).pipe(
    Layer.provideMerge(Products.layer),
    Layer.provideMerge(Pricing.layer),
    Layer.provide(Layer.merge(tables, PriceListRepository.layer))
  ),
  handlers: Layer.mergeAll(ProductHandlers.layer, PriceListHandlers.layer, PurchaseOrderHandlers.layer),
  background: OverdueWorker.layer,
  cached: Effect.map(CachedProducts, ({ ready }) => [ready])
} satisfies Module
