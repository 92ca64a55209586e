import { Context, Effect, Layer } from "effect"
import { productStream } from "../../engine/commerce/Product.ts"
import { stockOf } from "../../engine/commerce/Stock.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { Policy } from "../api/Authorization.ts"
import { ProductAnswer, ProductsAnswer, ProductsApi } from "../api/Products.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { type Answer, ResponseCache } from "../http/ResponseCache.ts"
import { linkTo } from "../http/ListResponse.ts"
import type { AnswerSource } from "../http/CachedResponses.ts"
import type { ProductNotFound } from "./CommerceError.ts"
import { productAnswer } from "./ProductResponses.ts"
import type { StockedProduct } from "./ProductRepository.ts"
import { Products } from "./Products.ts"

/** Milliseconds that an answer is kept. All that changes it is told of; this bounds what somebody else changed by hand. */
const MAX_AGE = 60_000

/** Longest path with its query whose page is kept, in characters. */
const MAX_TARGET = 300

const { getProduct, listProducts } = ProductsApi.endpoints
const PATH = listProducts.path
const PAGES = { route: PATH, access: Context.getUnsafe(listProducts.annotations, Policy) }
const ONE = { route: getProduct.path, access: Context.getUnsafe(getProduct.annotations, Policy) }

/** Outdates every page: there is another product, or other pages may hold one. */
const ANY_PRODUCT = "products"

const encoder = new TextEncoder()
const encodeOne = encoderOf(ProductAnswer)
const encodePage = encoderOf(ProductsAnswer)

/** What an answer tells of: the product, and how many pieces there are. */
const subjectsOf = ({ product: { companyId, productId } }: StockedProduct): ReadonlyArray<string> => [
  productStream(productId),
  stockOf(companyId, productId)
]

/** Products and pages of them as bytes, kept until one of the products or its stock changes. They are the same for everybody. */
export class CachedProducts extends Context.Service<
  CachedProducts,
  {
    readonly one: (productId: string) => Effect.Effect<Answer, ProductNotFound | Unavailable>
    /** A page by the path and query that ask for it, and what reads it. */
    readonly page: (
      target: string,
      read: Effect.Effect<
        { readonly products: ReadonlyArray<StockedProduct>; readonly total: number; readonly next: string | undefined },
        Unavailable | UnknownCursor
      >
    ) => Effect.Effect<Answer, Unavailable | UnknownCursor>
    /** What is kept now. */
    readonly ready: AnswerSource
  }
>()("emporion/commerce/CachedProducts") {
  static readonly layer: Layer.Layer<CachedProducts, never, Products | UnitOfWork> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { isCertain, onCommit } = yield* UnitOfWork
      const { find } = yield* Products
      const cache = new ResponseCache({ maxAge: MAX_AGE, isCertain })
      yield* onCommit((events, { changedAccounts }) => {
        for (const { event, stream } of events) {
          if (event._tag === "ProductListed" || event._tag === "ProductRevised") {
            cache.outdate(stream)
            cache.outdate(ANY_PRODUCT)
          }
        }
        for (const account of changedAccounts) cache.outdate(account)
      })

      return CachedProducts.of({
        one: (productId) =>
          cache.of(
            `${PATH}/${productId}`,
            Effect.map(find(productId), (found) => ({
              answer: { body: encoder.encode(encodeOne(productAnswer(found))) },
              about: subjectsOf(found)
            }))
          ),
        page: (target, read) => {
          const paged = Effect.map(read, ({ next, products, total }) => ({
            answer: {
              body: encoder.encode(encodePage(products.map(productAnswer))),
              headers: {
                "x-total-count": String(total),
                ...(next === undefined ? {} : { link: linkTo(target, next) })
              }
            },
            about: [ANY_PRODUCT, ...products.flatMap(subjectsOf)]
          }))
          return target.length > MAX_TARGET ? Effect.map(paged, ({ answer }) => answer) : cache.of(target, paged)
        },
        ready: {
          find: (target, now) => {
            const answer = target.startsWith(PATH) ? cache.find(target, now) : undefined
            if (answer === undefined) return undefined
            return { ...(target[PATH.length] === "/" ? ONE : PAGES), answer }
          }
        }
      })
    })
  )
}
