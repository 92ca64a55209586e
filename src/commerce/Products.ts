import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { listed, productStream, revised } from "../../engine/commerce/Product.ts"
import type { ProductFacts } from "../../engine/commerce/ProductFacts.ts"
import { list, type Revision, revise } from "../../engine/commerce/ProductDecision.ts"
import { mergedMetadata, type MetadataChange, type TooMuchMetadata } from "../../engine/metadata/Metadata.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import { StaleVersion } from "../../engine/actor/Journal.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { BuyerNotFound, NotTheSeller, ProductNotFound, SellerGone } from "./CommerceError.ts"
import { idempotencyOf, type KeptReply } from "./KeptReply.ts"
import { type CatalogProduct, type ProductFilter, ProductRepository, type StockedProduct } from "./ProductRepository.ts"

/** Who acts, and for which company. */
export interface Trader {
  readonly userId: string
  readonly companyId: string
}

interface Listing {
  readonly facts: ProductFacts
  /** Whole pieces that are for sale. */
  readonly pieces: number
}

/** What is to be different of a product. */
interface ProductChange extends Revision {
  readonly metadata?: MetadataChange
}

const offer = Effect.fnUntraced(function* (
  by: Trader,
  { facts, pieces }: Listing,
  kept: KeptReply<StockedProduct> | undefined
) {
  const productId = yield* Identifier.make("prd")
  const at = yield* Clock.currentTimeMillis
  const entry = list({ productId, facts, pieces }, { ...by, at })
  const stocked: StockedProduct = { product: listed(entry.event), available: pieces, reserved: 0 }
  const idempotency = idempotencyOf(kept, stocked)
  yield* writeEntry({ stream: productStream(productId), version: 0, entry: { ...entry, idempotency } }).pipe(
    dieOnRefusal,
    Effect.catchTag("StaleVersion", Effect.die)
  )
  return stocked
})

/** Pieces that orders take while the stock is set may be missing when it is written: then it is decided anew. */
const change = (by: Trader, productId: string, revision: ProductChange) =>
  Effect.gen(function* () {
    const repository = yield* ProductRepository
    const found = yield* repository.find(productId)
    if (found === undefined) return yield* new ProductNotFound({ productId })
    const { available, product, reserved } = found
    if (product.companyId !== by.companyId) return yield* new NotTheSeller({ productId })
    if ((revision.available ?? 0) > 0 && (yield* repository.isSellerGone(product))) {
      return yield* new SellerGone({ productId })
    }
    const { metadata, ...rest } = revision
    const facts =
      metadata === undefined
        ? rest.facts
        : { ...rest.facts, metadata: yield* Effect.fromResult(mergedMetadata(product.metadata, metadata)) }
    const at = yield* Clock.currentTimeMillis
    const entry = revise(product, available, { ...rest, facts }, { ...by, at })
    if (entry === undefined) return found
    const stream = productStream(productId)
    yield* writeEntry({ stream, version: product.version, entry }).pipe(
      Effect.catchTag("InsufficientFunds", () =>
        Effect.fail(new StaleVersion({ stream, expected: product.version, actual: product.version }))
      )
    )
    return { product: revised(product, entry.event), available: revision.available ?? available, reserved }
  }).pipe(retryStale, dieOnRefusal)

interface Found<A> {
  readonly products: ReadonlyArray<A>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

type Services = Companies | ProductRepository | SecureRandom | UnitOfWork

/** What companies sell. Everybody sees it; its seller changes it. Specification 2.7. */
export class Products extends Context.Service<
  Products,
  {
    /** Offers a product of the caller's company, which is paid into the caller's USD wallet. */
    readonly offer: (
      by: Trader,
      listing: Listing,
      kept?: KeptReply<StockedProduct>
    ) => Effect.Effect<StockedProduct, Unavailable>
    /** Changes what is named, and answers the product as it is then. */
    readonly change: (
      by: Trader,
      productId: string,
      revision: ProductChange
    ) => Effect.Effect<StockedProduct, ProductNotFound | NotTheSeller | SellerGone | TooMuchMetadata | Unavailable>
    readonly find: (productId: string) => Effect.Effect<StockedProduct, ProductNotFound | Unavailable>
    /** Oldest first, and how many there are. */
    readonly list: (
      filter: ProductFilter,
      page: Page
    ) => Effect.Effect<Found<StockedProduct>, Unavailable | UnknownCursor>
    /** What the caller's company, or one that it manages, can buy at which price, oldest first. */
    readonly catalog: (
      by: Trader,
      customerId: string,
      filter: ProductFilter,
      page: Page
    ) => Effect.Effect<Found<CatalogProduct>, BuyerNotFound | Unavailable | UnknownCursor>
  }
>()("emporion/commerce/Products") {
  static readonly layer: Layer.Layer<Products, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const { mayBuyFor } = yield* Companies
      const repository = yield* ProductRepository
      return Products.of({
        offer: Effect.fn("Products.offer")((by, listing, kept) =>
          Effect.provideContext(offer(by, listing, kept), context)
        ),
        change: Effect.fn("Products.change")((by, productId, revision) =>
          Effect.provideContext(change(by, productId, revision), context)
        ),
        find: Effect.fnUntraced(function* (productId) {
          return (yield* repository.find(productId)) ?? (yield* new ProductNotFound({ productId }))
        }),
        list: repository.list,
        catalog: Effect.fnUntraced(function* ({ companyId }, customerId, filter, page) {
          const may = customerId === companyId || (yield* mayBuyFor(companyId, customerId))
          if (!may) return yield* new BuyerNotFound({ companyId: customerId })
          return yield* repository.catalog({ customerId, notOf: [customerId, companyId] }, filter, page)
        })
      })
    })
  )
}
