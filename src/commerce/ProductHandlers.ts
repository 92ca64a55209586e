import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import { ProductAnswer } from "../api/Products.ts"
import type { Answer } from "../http/ResponseCache.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { keeping } from "./KeptResponses.ts"
import { filterOf } from "./ProductReads.ts"
import { catalogAnswer, productAnswer } from "./ProductResponses.ts"
import { Products } from "./Products.ts"
import { CachedProducts } from "./CachedProducts.ts"

const keepingProduct = keeping(ProductAnswer, productAnswer)

const sent = ({ body, headers = {} }: Answer) =>
  HttpServerResponse.uint8Array(body, { contentType: "application/json", headers })

/** The products group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "products",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    const ready = yield* CachedProducts
    return handlers.handleAll({
      createProduct: Effect.fnUntraced(function* ({ payload }) {
        const by = yield* CurrentPrincipal
        const { bidable = false, description, insurable = false, iscontract = false, name, price } = payload
        const { metadata, quantity: pieces, type = "Consumer Product" } = payload
        const own = metadata === undefined ? {} : { metadata }
        const facts = { name, description, price, type, insurable, bidable, isContract: iscontract, ...own }
        return yield* keepingProduct((kept) => products.offer(by, { facts, pieces }, kept))
      }, Effect.uninterruptible),
      listProducts: Effect.fnUntraced(function* ({ query, request }) {
        return sent(yield* ready.page(request.url, products.list(filterOf(query), pageOf(query))))
      }),
      getProduct: Effect.fnUntraced(function* ({ params }) {
        return sent(yield* ready.one(params.id))
      }),
      updateProduct: Effect.fnUntraced(function* ({ params, payload }) {
        const by = yield* CurrentPrincipal
        const { iscontract: isContract, metadata, quantity: available, ...rest } = payload
        const facts = isContract === undefined ? rest : { ...rest, isContract }
        return productAnswer(
          yield* products.change(by, params.id, { facts, available, ...(metadata !== undefined && { metadata }) })
        )
      }, Effect.uninterruptible),
      listCatalog: Effect.fnUntraced(function* ({ query }) {
        const by = yield* CurrentPrincipal
        const { customer_company_id: customerId = by.companyId, ...filters } = query
        const { products: found, ...page } = yield* products.catalog(by, customerId, filterOf(filters), pageOf(query))
        return yield* ListResponse.of(found.map(catalogAnswer), page)
      })
    })
  })
)
