import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { ONE } from "../../../engine/money/Amount.ts"
import { MedianRepository } from "../../../src/arena/MedianRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(MedianRepository.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const ASSETS = ["EUR/USD", "H100", "XAU"] as const

interface Case {
  readonly medians: ReadonlyArray<{ readonly asset: string; readonly at: number }>
  /** The asset with a live order. */
  readonly live: string | undefined
  readonly before: number
  readonly limit: number
}

const some: fc.Arbitrary<Case> = fc.record({
  medians: fc.uniqueArray(fc.record({ asset: fc.constantFrom(...ASSETS), at: fc.nat(20) }), {
    selector: ({ asset, at }) => `${asset} ${at}`,
    maxLength: 40
  }),
  live: fc.constantFrom(undefined, ...ASSETS),
  before: fc.nat(21),
  limit: fc.integer({ min: 1, max: 6 })
})

const orderOf = (asset: string, status: "open" | "settled") => {
  const settled = status === "settled" ? `'${"00".repeat(32)}', 'no_reference_price'` : "NULL, NULL"
  return `INSERT INTO arena_orders (id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at,
      settlement_at, status, maker_owner, maker_address, tie_key_hash, tie_key, void_reason)
    VALUES ('ord_${"0".repeat(23)}${status === "open" ? 1 : 2}', 'fx', '${asset}', '{}', 1, 1, 1, 2, 3, '${status}', 'cmp_m', 'm',
      '${"00".repeat(32)}', ${settled})`
}

describe("MedianRepository", () => {
  it("removes medians before a time, so many at once, and none of an asset with a live order", () =>
    Effect.gen(function* () {
      const runPromise = Effect.runPromiseWith(yield* Effect.context<SqlClient | MedianRepository>())
      const run = Effect.fnUntraced(function* ({ before, limit, live, medians }: Case) {
        const sql = yield* SqlClient
        const { insert, prune, recent } = yield* MedianRepository
        yield* sql`DELETE FROM arena_medians`
        yield* sql`DELETE FROM arena_orders`
        yield* sql.unsafe(orderOf("EUR/USD", "settled"))
        if (live !== undefined) yield* sql.unsafe(orderOf(live, "open"))
        yield* insert(medians.map((one) => ({ ...one, price: ONE, safe: true, source: "a" })))
        const kept = medians.filter(({ asset, at }) => asset === live || at >= before)
        for (let removed = limit; removed === limit;) {
          removed = yield* prune(before, limit)
          expect(removed).toBeLessThanOrEqual(limit)
        }
        const nameOf = ({ asset, at }: { readonly asset: string; readonly at: number }) => `${asset} ${at}`
        expect((yield* recent(0)).map(nameOf).toSorted()).toEqual(kept.map(nameOf).toSorted())
      })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(some, (one) => runPromise(run(one))),
          property(4)
        )
      )
    }))
})
