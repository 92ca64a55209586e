import { Context, Effect, Layer } from "effect"
import { type Product, revised } from "../../engine/commerce/Product.ts"
import type { ProductEvent } from "../../engine/commerce/ProductEvent.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { ProductRepository } from "./ProductRepository.ts"

/** Products kept in memory; beyond it all are forgotten, and read again as they are needed. */
export const MAX_PRODUCTS = 20_000

/** Customers' prices kept in memory, those that are known to be none included. */
export const MAX_OWN_PRICES = 200_000

/** What a customer pays for a product now. */
export interface Quote {
  readonly product: Product
  readonly price: Amount
}

/**
 * What products cost whom, from memory where it is known.
 *
 * A product in memory follows its events, and whatever is decided on it names the version that it had: the journal
 * refuses that where the product has changed since. A customer's own prices are forgotten before a change of a price
 * list is answered.
 */
export class Pricing extends Context.Service<
  Pricing,
  {
    /** The quotes of those products that there are. Reads at most once. */
    readonly quotes: (
      customerId: string,
      productIds: Iterable<string>
    ) => Effect.Effect<ReadonlyMap<string, Quote>, Unavailable>
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

      return Pricing.of({
        quotes: Effect.fnUntraced(function* (customerId, productIds) {
          const found = new Map<string, Quote>()
          const missing: Array<string> = []
          for (const id of new Set(productIds)) {
            const quote = memory.quote(customerId, id)
            if (quote === undefined) missing.push(id)
            else found.set(id, quote)
          }
          if (missing.length === 0) return found
          const { changes } = memory
          for (const { ownPrice, product } of yield* repository.priced(customerId, missing)) {
            memory.keep(product)
            if (memory.changes === changes) memory.keepPrice(customerId, product.productId, ownPrice)
            found.set(product.productId, { product, price: ownPrice ?? product.price })
          }
          return found
        }),
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
  readonly #products = new Map<string, Product>()
  readonly #own = new Map<string, Map<string, Amount | undefined>>()
  #ownPrices = 0

  quote(customerId: string, productId: string): Quote | undefined {
    const product = this.#products.get(productId)
    const own = this.#own.get(customerId)
    if (product === undefined || own?.has(productId) !== true) return undefined
    return { product, price: own.get(productId) ?? product.price }
  }

  /** Keeps the later one of what was read and what is known. */
  keep(product: Product): void {
    const known = this.#products.get(product.productId)
    if (known !== undefined && known.version >= product.version) return
    if (this.#products.size >= MAX_PRODUCTS) this.#products.clear()
    this.#products.set(product.productId, product)
  }

  keepPrice(customerId: string, productId: string, price: Amount | undefined): void {
    if (this.#ownPrices >= MAX_OWN_PRICES) {
      this.#own.clear()
      this.#ownPrices = 0
    }
    const own = this.#own.get(customerId) ?? new Map<string, Amount | undefined>()
    if (!own.has(productId)) this.#ownPrices += 1
    own.set(productId, price)
    this.#own.set(customerId, own)
  }

  follow(event: Extract<ProductEvent, { readonly _tag: "ProductRevised" }>, version: number): void {
    const known = this.#products.get(event.productId)
    if (known === undefined || known.version >= version) return
    if (known.version === version - 1) this.#products.set(event.productId, revised(known, event))
    else this.#products.delete(event.productId)
  }

  drop(productId: string): void {
    this.#products.delete(productId)
  }

  dropCustomer(customerId: string): void {
    this.changes += 1
    this.#ownPrices -= this.#own.get(customerId)?.size ?? 0
    this.#own.delete(customerId)
  }
}
