import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import * as Identifier from "../Identifier.ts"
import { NotACustomer, type NotOwnProduct, PriceListNotFound, type PriceTaken } from "./CommerceError.ts"
import {
  type ListedPrice,
  type PriceList,
  type PriceListFilter,
  PriceListRepository,
  type PricesRefused
} from "./PriceListRepository.ts"
import { Pricing } from "./Pricing.ts"

/** What a company's id looks like. */
const COMPANY = /^cmp_[0-9a-z]{24}$/

/** Who asks, and for which company. An administrator sees and changes the lists of all. */
export interface Seller {
  readonly companyId: string
  readonly isAdmin: boolean
}

interface NewPriceList {
  readonly customerId: string
  readonly name: string
  readonly prices: ReadonlyArray<ListedPrice>
}

/** What is to be different; undefined: nothing. */
interface PriceListChange {
  readonly name?: string | undefined
  readonly prices?: ReadonlyArray<ListedPrice> | undefined
}

/**
 * Sellers' own prices for their customers. The seller alone sees them. A change holds for every order that is placed
 * after it was answered.
 */
export class PriceLists extends Context.Service<
  PriceLists,
  {
    /** `within` is done in the transaction that makes the list: fails to undo it. */
    readonly add: (
      by: Seller,
      list: NewPriceList,
      within?: (list: PriceList) => Effect.Effect<void, Unavailable>
    ) => Effect.Effect<PriceList, NotACustomer | PricesRefused | Unavailable>
    readonly find: (by: Seller, id: string) => Effect.Effect<PriceList, PriceListNotFound | Unavailable>
    /** Oldest first, and how many there are. */
    readonly list: (
      by: Seller,
      customerId: string | undefined,
      page: Page
    ) => Effect.Effect<
      { readonly lists: ReadonlyArray<PriceList>; readonly total: number; readonly next: string | undefined },
      Unavailable | UnknownCursor
    >
    readonly change: (
      by: Seller,
      id: string,
      change: PriceListChange
    ) => Effect.Effect<PriceList, PriceListNotFound | NotOwnProduct | PriceTaken | Unavailable>
    readonly remove: (by: Seller, id: string) => Effect.Effect<void, PriceListNotFound | Unavailable>
  }
>()("emporion/commerce/PriceLists") {
  static readonly layer: Layer.Layer<PriceLists, never, PriceListRepository | Pricing | SecureRandom> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* PriceListRepository
      const { forgetCustomer } = yield* Pricing
      const random = yield* Effect.context<SecureRandom>()

      /** Whatever becomes of the change, what is known of the customer's prices is no longer certain. */
      const changing = <A, E, R>(customerId: string, write: Effect.Effect<A, E, R>) =>
        Effect.uninterruptible(
          Effect.ensuring(
            write,
            Effect.sync(() => forgetCustomer(customerId))
          )
        )

      const find = Effect.fnUntraced(function* (by: Seller, priceListId: string) {
        const list = yield* repository.find(priceListId)
        const isVisible = list !== undefined && (by.isAdmin || list.sellerId === by.companyId)
        return isVisible ? list : yield* new PriceListNotFound({ priceListId })
      })

      return PriceLists.of({
        add: Effect.fn("PriceLists.add")(function* (
          { companyId: sellerId },
          { customerId, name, prices },
          within = () => Effect.void
        ) {
          if (customerId === sellerId || !COMPANY.test(customerId)) {
            return yield* new NotACustomer({ companyId: customerId })
          }
          const id = yield* Effect.provideContext(Identifier.make("plt"), random)
          const at = yield* Clock.currentTimeMillis
          const list = { id, sellerId, customerId, name, prices, createdAt: at, updatedAt: at }
          yield* changing(customerId, repository.add(list, within(list)))
          return list
        }),
        find,
        list: (by, customerId, page) => {
          const filter: PriceListFilter = { sellerId: by.isAdmin ? undefined : by.companyId, customerId }
          return repository.list(filter, page)
        },
        change: Effect.fn("PriceLists.change")(function* (by, id, { name, prices }) {
          const before = yield* find(by, id)
          const at = yield* Clock.currentTimeMillis
          const list = {
            ...before,
            name: name ?? before.name,
            prices: prices ?? before.prices,
            updatedAt: Math.max(at, before.updatedAt)
          }
          const isThere = yield* changing(before.customerId, repository.change(list, prices !== undefined))
          return isThere ? list : yield* new PriceListNotFound({ priceListId: id })
        }),
        remove: Effect.fn("PriceLists.remove")(function* (by, id) {
          const { customerId } = yield* find(by, id)
          if (!(yield* changing(customerId, repository.remove(id)))) {
            return yield* new PriceListNotFound({ priceListId: id })
          }
        })
      })
    })
  )
}
