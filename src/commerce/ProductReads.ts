/** What is answered of products from the tables alone, on any node. */

import { Effect } from "effect"
import type { ProductType } from "../../engine/commerce/ProductFacts.ts"
import { pageOf } from "../api/Paging.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { ProductNotFound } from "./CommerceError.ts"
import { type ProductFilter, ProductRepository } from "./ProductRepository.ts"
import { productAnswer } from "./ProductResponses.ts"

interface Filters {
  readonly company_id?: string
  readonly type?: ProductType
  readonly bidable?: "true" | "false"
  readonly iscontract?: "true" | "false"
  readonly q?: string
}

const flag = (text: "true" | "false" | undefined): boolean | undefined =>
  text === undefined ? undefined : text === "true"

/** What a query asks for. */
export const filterOf = ({ bidable, company_id, iscontract, q, type }: Filters): ProductFilter => ({
  companyId: company_id,
  type,
  bidable: flag(bidable),
  isContract: flag(iscontract),
  text: q
})

/** Handlers for a node that keeps no answers. */
export const productReads = Effect.map(ProductRepository, ({ find, list }) => ({
  listProducts: Effect.fnUntraced(function* ({ query }: { readonly query: Filters & Parameters<typeof pageOf>[0] }) {
    const { products, ...page } = yield* list(filterOf(query), pageOf(query))
    return yield* ListResponse.of(products.map(productAnswer), page)
  }),
  getProduct: Effect.fnUntraced(function* ({ params: { id } }: { readonly params: { readonly id: string } }) {
    return productAnswer((yield* find(id)) ?? (yield* new ProductNotFound({ productId: id })))
  })
}))
