import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { ProductEvent } from "../../../engine/commerce/ProductEvent.ts"
import { productRow, products } from "../../../engine/commerce/ProductRows.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { ProjectedStreams } from "../../../src/database/ProjectedStreams.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(ProjectedStreams.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const by = { at: 5, userId: "usr_1", companyId: "cmp_1" }

const facts = {
  name: "Bolt",
  description: "M8",
  price: fromUnits(2n),
  type: "Commodity" as const,
  insurable: false,
  bidable: true,
  isContract: false
}

const EVENTS: ReadonlyArray<ProductEvent> = [
  { _tag: "ProductListed", ...by, productId: "prd_1", facts, pieces: 4 },
  { _tag: "ProductListed", ...by, productId: "prd_2", facts, pieces: 4 },
  { _tag: "ProductRevised", ...by, at: 9, productId: "prd_1", changes: { name: "Nut" }, stock: null }
]

it("reads what each stream comes to, as far as the tables have it", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const streams = yield* ProjectedStreams
    for (const [index, event] of EVENTS.entries()) {
      const stream = `product/${event.productId}`
      const version = event._tag === "ProductListed" ? 1 : 2
      yield* sql`INSERT INTO event_streams (id, version, hash) VALUES (${stream}, 1, ${new Uint8Array(32)}) ON CONFLICT DO NOTHING`
      yield* sql`
        INSERT INTO events (seq, stream, version, type, data, hash)
        VALUES (${BigInt(index + 1)}, ${stream}, ${version}, ${event._tag}, ${encodeEvent(event)}, ${new Uint8Array(32)})`
    }
    const read = yield* streams.read(["product/prd_1", "product/prd_3"])
    expect(read).toEqual([
      { event: EVENTS[0]!, seq: 1, stream: "product/prd_1" },
      { event: EVENTS[2]!, seq: 3, stream: "product/prd_1" }
    ])
    const found = yield* streams.each(products)(["product/prd_2", "product/prd_1", "product/prd_3"])
    const names = found.map((product) => productRow(product).values.filter((_, index) => index % 3 === 0))
    expect(names.map(([id, name]) => [id, name])).toEqual([
      ["prd_1", "Nut"],
      ["prd_2", "Bolt"]
    ])
  }))
