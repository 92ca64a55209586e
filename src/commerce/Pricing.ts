import { Context, Effect, Layer } from "effect"
import type { Quote, QuotedProduct } from "../../engine/commerce/OrderPlacing.ts"
import type { ProductEvent } from "../../engine/commerce/ProductEvent.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { type OwnPrices, ProductRepository } from "./ProductRepository.ts"

/** Products kept in memory; beyond it all are forgotten, and read again as they are needed. */
export const MAX_PRODUCTS = 20_000

/** The most prices of one customer that are kept in memory; of who has more, each order reads those of its products. */
export const MAX_PRICES_EACH = 5_000

/** Customers' prices kept in memory, each customer counted as one more; beyond it all are forgotten. */
export const MAX_OWN_PRICES = 200_000

/**
 * What products cost whom, from memory where it is known.
 *
 * A product in memory follows its events, and whatever is decided on it names the version that it had: the journal
 * refuses that where the product has changed since. A customer's own prices are known whole, and forgotten before a
 * change of a price list is answered.
 */
export class Pricing extends Context.Service<
  Pricing,
  {
    /** The quotes of those products that there are. Reads products and prices at most once each. */
    readonly quotes: (
      customerId: string,
      productIds: Iterable<string>
    ) => Effect.Effect<ReadonlyMap<string, Quote>, Unavailable>
    /** The quotes of all these products where nothing has to be read. */
    readonly known: (customerId: string, productIds: ReadonlyArray<string>) => ReadonlyMap<string, Quote> | undefined
    /** Reads a product again when next asked. */
    readonly forgetProduct: (productId: string) => void
    /** Reads a customer's own prices again when next asked. */
    readonly forgetCustomer: (customerId: string) => void
  }
>()("emporion/commerce/Pricing") {
  static readonly layer: Layer.Layer<Pricing, never, ProductRepository | UnitOfWork> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* ProductRepository
      const memory = new Memory()
      yield* (yield* UnitOfWork).onCommit((events) => {
        for (const { event, version } of events) {
          if (event._tag === "ProductRevised") memory.follow(event, version)
        }
      })

      const readOwn = Effect.fnUntraced(function* (customerId: string, ids: ReadonlyArray<string>) {
        if (memory.hasMany(customerId)) return yield* repository.ownPrices(customerId, { of: ids })
        const { changes } = memory
        const own = yield* repository.ownPrices(customerId, { limit: MAX_PRICES_EACH + 1 })
        if (memory.changes === changes) memory.keepOwn(customerId, own)
        return own.size > MAX_PRICES_EACH ? yield* repository.ownPrices(customerId, { of: ids }) : own
      })

      return Pricing.of({
        quotes: Effect.fnUntraced(function* (customerId, productIds) {
          const ids = [...new Set(productIds)]
          const own = memory.ownOf(customerId) ?? (yield* readOwn(customerId, ids))
          const missing = ids.filter((id) => memory.product(id) === undefined)
          const read = missing.length === 0 ? [] : yield* repository.quoted(missing)
          for (const product of read) memory.keep(product)
          const fresh = new Map(read.map((product) => [product.productId, product]))
          const found = new Map<string, Quote>()
          for (const id of ids) {
            const product = fresh.get(id) ?? memory.product(id)
            if (product !== undefined) found.set(id, { product, price: own.get(id) ?? product.price })
          }
          return found
        }),
        known: (customerId, productIds) => memory.quotes(customerId, productIds),
        forgetProduct: (productId) => memory.drop(productId),
        forgetCustomer: (customerId) => memory.dropCustomer(customerId)
      })
    })
  )
}

/** What is known of products and prices. */
class Memory {
  /** Counts the changes of price lists: what was read before one is not kept after it. */
  changes = 0
  readonly #products = new Map<string, QuotedProduct>()
  /** By customer; undefined for who has too many. */
  readonly #own = new Map<string, OwnPrices | undefined>()
  #ownPrices = 0

  product(productId: string): QuotedProduct | undefined {
    return this.#products.get(productId)
  }

  /** Undefined where one of them, or what the customer pays, is not known. */
  quotes(customerId: string, productIds: ReadonlyArray<string>): ReadonlyMap<string, Quote> | undefined {
    const own = this.#own.get(customerId)
    if (own === undefined) return undefined
    const quotes = new Map<string, Quote>()
    for (const id of productIds) {
      const product = this.#products.get(id)
      if (product === undefined) return undefined
      quotes.set(id, { product, price: own.get(id) ?? product.price })
    }
    return quotes
  }

  ownOf(customerId: string): OwnPrices | undefined {
    return this.#own.get(customerId)
  }

  hasMany(customerId: string): boolean {
    return this.#own.has(customerId) && this.#own.get(customerId) === undefined
  }

  /** Keeps the later one of what was read and what is known. */
  keep(product: QuotedProduct): void {
    const known = this.#products.get(product.productId)
    if (known !== undefined && known.version >= product.version) return
    if (this.#products.size >= MAX_PRODUCTS) this.#products.clear()
    this.#products.set(product.productId, product)
  }

  keepOwn(customerId: string, prices: OwnPrices): void {
    this.#forget(customerId)
    const kept = prices.size > MAX_PRICES_EACH ? undefined : prices
    const count = 1 + (kept?.size ?? 0)
    if (this.#ownPrices + count > MAX_OWN_PRICES) {
      this.#own.clear()
      this.#ownPrices = 0
    }
    this.#own.set(customerId, kept)
    this.#ownPrices += count
  }

  follow(event: Extract<ProductEvent, { readonly _tag: "ProductRevised" }>, version: number): void {
    const known = this.#products.get(event.productId)
    if (known === undefined || known.version >= version) return
    const { price = known.price } = event.changes
    if (known.version === version - 1) this.#products.set(event.productId, { ...known, price, version })
    else this.#products.delete(event.productId)
  }

  drop(productId: string): void {
    this.#products.delete(productId)
  }

  dropCustomer(customerId: string): void {
    this.changes += 1
    this.#forget(customerId)
  }

  #forget(customerId: string): void {
    if (this.#own.has(customerId)) this.#ownPrices -= 1 + (this.#own.get(customerId)?.size ?? 0)
    this.#own.delete(customerId)
  }
}
