import { describe, expect, it } from "bun:test"
import { Effect, Layer } from "effect"
import { listed } from "../../../engine/commerce/Product.ts"
import type { ProductRevised } from "../../../engine/commerce/ProductEvent.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { MAX_PRICES_EACH, Pricing } from "../../../src/commerce/Pricing.ts"
import type { QuotedProduct } from "../../../engine/commerce/OrderPlacing.ts"
import { type OwnPrices, ProductRepository } from "../../../src/commerce/ProductRepository.ts"
import type { CommitListener } from "../../../engine/journal/GroupWriter.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { NO_ACCOUNTS } from "../../lib/NoAccounts.ts"

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
const product: QuotedProduct = {
  ...listed({ _tag: "ProductListed", ...act, facts, pieces: 1 }),
  stream: "product/prd",
  takings: "usr/USD/wallet",
  stock: "cmp/PRODUCT:prd/stock"
}
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
  /** The customer's prices of other products. */
  others: ReadonlyArray<readonly [string, Amount]> = []
  /** How often products were read. */
  reads = 0
  /** Which own prices were read: those of products, or so many. */
  readonly asked: Array<ReadonlyArray<string> | number> = []
  /** What happens while something is read. */
  meanwhile = (): void => {}
  readonly listeners: Array<CommitListener> = []

  commit(price: Amount, version: number): void {
    const recorded = { seq: version, stream: "product/prd", version, event: revision(price), hash: "" }
    for (const listener of this.listeners) listener([recorded], NO_ACCOUNTS)
  }

  readonly layer = Pricing.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.mock(ProductRepository, {
          quoted: (ids) =>
            Effect.sync(() => {
              this.reads += 1
              return ids.includes("prd") ? [this.product] : []
            }),
          ownPrices: (_, which) =>
            Effect.sync((): OwnPrices => {
              this.asked.push("of" in which ? which.of : which.limit)
              const others = "of" in which ? [] : this.others
              const found = new Map(this.own === undefined ? others : [["prd", this.own], ...others])
              this.meanwhile()
              return found
            })
        }),
        Layer.mock(UnitOfWork, {
          isCertain: () => true,
          tell: () => {},
          writes: Effect.void,
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

  it("knows the quotes that need no reading, and as whoever reads them would", async () => {
    const paper = new Paper()
    paper.own = usd(8)
    await runs(
      paper,
      Effect.gen(function* () {
        const { forgetCustomer, forgetProduct, known, quotes } = yield* Pricing
        expect(known("ada", ["prd"])).toBeUndefined()
        const read = yield* quotes("ada", ["prd"])
        expect(known("ada", ["prd", "prd"])).toEqual(read)
        expect(known("bob", ["prd"])).toBeUndefined()
        expect(known("ada", ["prd", "other"])).toBeUndefined()
        forgetProduct("prd")
        expect(known("ada", ["prd"])).toBeUndefined()
        yield* quotes("ada", ["prd"])
        forgetCustomer("ada")
        expect(known("ada", ["prd"])).toBeUndefined()
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
        expect([paper.reads, paper.asked.length]).toEqual([2, 3])
      })
    )
  })

  it("reads a customer's prices whole once, and those of each order where there are too many", async () => {
    const paper = new Paper()
    const whole = MAX_PRICES_EACH + 1
    await runs(
      paper,
      Effect.gen(function* () {
        const { forgetCustomer } = yield* Pricing
        yield* priceFor("ada")
        yield* priceFor("ada")
        expect(paper.asked).toEqual([whole])
        paper.own = usd(8)
        paper.others = Array.from({ length: MAX_PRICES_EACH }, (_, index) => [`prd_${index}`, usd(1)] as const)
        expect([yield* priceFor("bob"), yield* priceFor("bob")]).toEqual([usd(8), usd(8)])
        expect(paper.asked).toEqual([whole, whole, ["prd"], ["prd"]])
        paper.others = paper.others.slice(1)
        forgetCustomer("bob")
        expect([yield* priceFor("bob"), yield* priceFor("bob")]).toEqual([usd(8), usd(8)])
        expect(paper.asked).toHaveLength(5)
      })
    )
  })
})
