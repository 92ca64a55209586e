import type { CatalogProduct, StockedProduct } from "./ProductRepository.ts"

/** A product under the names of the contract. */
export const productAnswer = ({ available, product, reserved }: StockedProduct) => ({
  id: product.productId,
  company_id: product.companyId,
  name: product.name,
  price: product.price,
  description: product.description,
  quantity: available,
  available: available > 0,
  reserved,
  insurable: product.insurable,
  bidable: product.bidable,
  iscontract: product.isContract,
  type: product.type,
  metadata: product.metadata ?? {},
  created_at: product.createdAt,
  updated_at: product.updatedAt
})

/** A product as one customer may buy it. */
export const catalogAnswer = ({ own, ...stocked }: CatalogProduct) => ({
  ...productAnswer(stocked),
  price: own?.price ?? stocked.product.price,
  list_price: stocked.product.price,
  price_list_id: own?.priceListId ?? null
})
