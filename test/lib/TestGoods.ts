import { Effect } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { Products, type Trader } from "../../src/commerce/Products.ts"
import type { TestServer } from "./TestServer.ts"

/** A product of 2.50 USD a piece that a company sells so many pieces of: its id. */
export const offerGoods = (server: TestServer, by: Trader, pieces = 1_000) =>
  server.run(
    Effect.gen(function* () {
      const products = yield* Products
      const facts = {
        name: "Flour",
        description: "A bag of it",
        price: fromUnits((5n * ONE) / 2n),
        type: "Commodity",
        insurable: false,
        bidable: false,
        isContract: false
      } as const
      const { product } = yield* products.offer(by, { facts, pieces })
      return product.productId
    })
  )
