import { describe, expect, it } from "bun:test"
import { Effect, Layer } from "effect"
import { listed, type Product } from "../../../engine/commerce/Product.ts"
import type { ProductRevised } from "../../../engine/commerce/ProductEvent.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { Pricing } from "../../../src/commerce/Pricing.ts"
import { type PricedProduct, ProductRepository } from "../../../src/commerce/ProductRepository.ts"
import { type CommitListener, UnitOfWork } from "../../../src/database/UnitOfWork.ts"

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)
const act = { at: 1, userId: "usr", companyId: "cmp", productId: "prd" } as const
const facts = {
  name: "Bolt",
  description: "M8",
  price: usd(10),
  type: "Commodity",
  insurable: false,
  bidable: false,
  isContract: false
} as const
const product: Product = listed({ _tag: "ProductListed", ...act, facts, pieces: 1 })
const revision = (price: Amount): ProductRevised => ({
  _tag: "ProductRevised",
  ...act,
  changes: { price },
  stock: null
})

/** A repository on paper that counts what it is asked. */
class Paper {
  product = product
  own: Amount | undefined
  reads = 0
  /** What happens while something is read. */
  meanwhile = (): void => {}
  readonly listeners: Array<CommitListener> = []

  commit(price: Amount, version: number): void {
    const recorded = { seq: version, stream: "product/prd", version, event: revision(price), hash: "" }
    for (const listener of this.listeners) listener([recorded], new Set())
  }

  readonly layer = Pricing.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.mock(ProductRepository, {
          listed: () => [],
          revised: () => [],
          priced: (_, ids) =>
            Effect.sync((): ReadonlyArray<PricedProduct> => {
              this.reads += 1
              const found = ids.includes("prd") ? [{ product: this.product, ownPrice: this.own }] : []
              this.meanwhile()
              return found
            })
        }),
        Layer.mock(UnitOfWork, {
          isCertain: () => true,
          onCommit: (listener) => Effect.sync(() => void this.listeners.push(listener))
        })
      )
    )
  )
}

const priceFor = (customer: string) =>
  Effect.flatMap(Pricing, ({ quotes }) =>
    Effect.map(Effect.orDie(quotes(customer, ["prd", "prd"])), (found) => found.get("prd")?.price)
  )

const runs = <A, E>(paper: Paper, body: Effect.Effect<A, E, Pricing>): Promise<A> =>
  Effect.runPromise(Effect.provide(body, paper.layer))

describe("Pricing", () => {
  it("reads a price once, and follows the product's events", async () => {
    const paper = new Paper()
    await runs(
      paper,
      Effect.gen(function* () {
        expect([yield* priceFor("ada"), yield* priceFor("ada"), paper.reads]).toEqual([usd(10), usd(10), 1])
        paper.commit(usd(11), 2)
        expect([yield* priceFor("ada"), paper.reads]).toEqual([usd(11), 1])
        paper.commit(usd(10), 2)
        expect([yield* priceFor("ada"), paper.reads]).toEqual([usd(11), 1])
        paper.commit(usd(14), 4)
        paper.product = { ...product, price: usd(14), version: 4 }
        expect([yield* priceFor("ada"), paper.reads]).toEqual([usd(14), 2])
        expect((yield* (yield* Pricing).quotes("ada", ["none"])).size).toBe(0)
      })
    )
  })

  it("keeps the later one of what it reads and what it is told meanwhile", async () => {
    const paper = new Paper()
    await runs(
      paper,
      Effect.gen(function* () {
        yield* priceFor("ada")
        paper.commit(usd(11), 2)
        yield* priceFor("bob")
        expect(yield* priceFor("ada")).toBe(usd(11))
      })
    )
  })

  it("forgets a customer's own prices when told, and keeps none that it read before", async () => {
    const paper = new Paper()
    await runs(
      paper,
      Effect.gen(function* () {
        const { forgetCustomer, forgetProduct } = yield* Pricing
        paper.own = usd(8)
        expect(yield* priceFor("ada")).toBe(usd(8))
        paper.own = usd(7)
        expect(yield* priceFor("ada")).toBe(usd(8))
        paper.meanwhile = () => {
          paper.own = usd(6)
          forgetCustomer("ada")
          paper.meanwhile = () => {}
        }
        forgetCustomer("ada")
        expect([yield* priceFor("ada"), yield* priceFor("ada")]).toEqual([usd(7), usd(6)])
        forgetProduct("prd")
        yield* priceFor("ada")
        expect(paper.reads).toBe(4)
      })
    )
  })
})
