import { Result } from "effect"
import { listed, type Product, productStream, revised } from "../commerce/Product.ts"
import { commandsOf } from "../commerce/ProductDecision.ts"
import type { ProductEvent } from "../commerce/ProductEvent.ts"
import { productRow } from "../commerce/ProductRows.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** The commands and rows of products. */
export class ProductReplay implements FamilyReplay<ProductEvent> {
  readonly #sink: RowSink
  readonly #products = new Map<string, { product: Product; last: StoredEvent }>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(event: ProductEvent, { stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const { productId } = event
    const product = this.#products.get(productId)?.product
    if (stream !== productStream(productId)) {
      return Result.fail(`belongs in the stream ${productStream(productId)} and stands in another`)
    }
    if ((product === undefined) !== (event._tag === "ProductListed")) {
      return Result.fail(`is about ${productId}, which was ${product === undefined ? "not yet" : "already"} listed`)
    }
    return product === undefined || product.companyId === event.companyId
      ? Result.succeed(commandsOf(product, event))
      : Result.fail(`is by ${event.companyId}, and ${productId} is a product of ${product.companyId}`)
  }

  evolve(event: ProductEvent, stored: StoredEvent): void {
    const before = this.#products.get(event.productId)?.product
    const product =
      event._tag === "ProductListed" ? listed(event) : before === undefined ? undefined : revised(before, event)
    if (product === undefined) return
    this.#products.set(event.productId, { product, last: stored })
    if (this.#sink.history) this.#sink.put(productRow(product), stored)
  }

  finish(): void {
    if (this.#sink.history) return
    for (const { last, product } of this.#products.values()) this.#sink.put(productRow(product), last)
  }
}
