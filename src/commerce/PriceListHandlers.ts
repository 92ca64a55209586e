import { Effect } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import { PriceListAnswer } from "../api/PriceLists.ts"
import type { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { keepWithin } from "../http/KeptResponse.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import type { PriceList } from "./PriceListRepository.ts"
import { PriceLists, type Seller } from "./PriceLists.ts"

const seller: Effect.Effect<Seller, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, ({ companyId, role }) => ({
  companyId,
  isAdmin: role === "admin"
}))

const toAnswer = ({ createdAt, customerId, id, name, prices, sellerId, updatedAt }: PriceList) => ({
  id,
  company_id: sellerId,
  customer_company_id: customerId,
  name,
  prices: prices.map(({ price, productId }) => ({ product_id: productId, price })),
  created_at: createdAt,
  updated_at: updatedAt
})

const pricesOf = (prices: ReadonlyArray<{ readonly product_id: string; readonly price: Amount }>) =>
  prices.map(({ price, product_id: productId }) => ({ productId, price }))

/** The price lists group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "priceLists",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* PriceLists
    const kept = yield* Effect.context<IdempotencyRepository>()
    return handlers.handleAll({
      createPriceList: Effect.fnUntraced(function* ({ payload: { customer_company_id: customerId, name, prices } }) {
        const keep = yield* Effect.provideContext(keepWithin(PriceListAnswer), kept)
        const given = { customerId, name, prices: pricesOf(prices) }
        return toAnswer(yield* lists.add(yield* seller, given, (list) => keep(toAnswer(list))))
      }, Effect.uninterruptible),
      listPriceLists: Effect.fnUntraced(function* ({ query }) {
        const { lists: found, ...page } = yield* lists.list(yield* seller, query.customer_company_id, pageOf(query))
        return yield* ListResponse.of(found.map(toAnswer), page)
      }),
      getPriceList: Effect.fnUntraced(function* ({ params }) {
        return toAnswer(yield* lists.find(yield* seller, params.id))
      }),
      updatePriceList: Effect.fnUntraced(function* ({ params, payload: { name, prices } }) {
        const change = { name, prices: prices === undefined ? undefined : pricesOf(prices) }
        return toAnswer(yield* lists.change(yield* seller, params.id, change))
      }, Effect.uninterruptible),
      deletePriceList: Effect.fnUntraced(function* ({ params }) {
        yield* lists.remove(yield* seller, params.id)
        return { id: params.id, deleted: true as const }
      }, Effect.uninterruptible)
    })
  })
)
