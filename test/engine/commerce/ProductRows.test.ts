import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { ProductEvent } from "../../../engine/commerce/ProductEvent.ts"
import { products } from "../../../engine/commerce/ProductRows.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { ProductReplay } from "../../../engine/replay/ProductReplay.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { property } from "../../lib/Property.ts"

const by = { userId: "usr_1", companyId: "cmp_1" }

const facts = fc.record({
  name: fc.constantFrom("Bolt", "Nut"),
  description: fc.constantFrom("", "M8"),
  price: fc.bigInt(1n, 9n).map(fromUnits),
  type: fc.constantFrom("Commodity" as const, "Consumer Product" as const),
  insurable: fc.boolean(),
  bidable: fc.boolean(),
  isContract: fc.boolean()
})

const partial = fc
  .tuple(facts, fc.subarray(["name", "description", "price", "type", "insurable", "bidable", "isContract"] as const))
  .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])))

/** Products that are listed and then revised, also at an earlier time. */
const history = fc
  .tuple(
    fc.array(facts, { minLength: 1, maxLength: 3 }),
    fc.array(fc.record({ of: fc.nat(2), changes: partial, at: fc.nat(9) }), { maxLength: 9 })
  )
  .map(([listings, revisions]): ReadonlyArray<ProductEvent> => [
    ...listings.map((one, index) => ({
      _tag: "ProductListed" as const,
      ...by,
      at: 5,
      productId: `prd_${index}`,
      facts: one,
      pieces: 1
    })),
    ...revisions.map(({ at, changes, of }) => ({
      _tag: "ProductRevised" as const,
      ...by,
      at,
      productId: `prd_${of % listings.length}`,
      changes,
      stock: null
    }))
  ])

const placed = (event: ProductEvent, seq: number) => ({
  seq,
  stream: `product/${event.productId}`,
  version: seq,
  type: event._tag,
  data: "",
  hash: ""
})

describe("the rows of products", () => {
  it("follow from each event as a replay derives them", () => {
    fc.assert(
      fc.property(history, (all) => {
        const rows = new Map(
          Map.groupBy(
            all.map((event, index) => ({ event, seq: index + 1 })),
            ({ event }) => event.productId
          )
            .values()
            .flatMap((own) => own.map(({ seq }, index) => [seq, rowsOfAggregate(products, own)[index]!] as const))
        )
        const events = all.map((event, index) => {
          const seq = index + 1
          return { event, rows: rows.get(seq)!, stored: placed(event, seq) }
        })
        expectDerivedRows(events, (sink) => new ProductReplay(sink))
      }),
      property()
    )
  })

  it("are none of a product that was never listed", () => {
    const event = { _tag: "ProductRevised", ...by, at: 1, productId: "prd_1", changes: {}, stock: null } as const
    expect(() => rowsOfAggregate(products, [{ event, seq: 1 }])).toThrow("never listed")
  })
})
