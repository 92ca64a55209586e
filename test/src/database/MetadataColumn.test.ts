import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import type { MetadataPair } from "../../../engine/metadata/Metadata.ts"
import type { Page } from "../../../src/api/Paging.ts"
import { listed, type OrderFilter, PurchaseOrderRepository } from "../../../src/commerce/PurchaseOrderRepository.ts"
import { statement } from "../../../src/database/Keyset.ts"
import { keepersOf } from "../../../src/database/MetadataColumn.ts"
import { migrate, rollback } from "../../../src/database/Migrations.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(Layer.provideMerge(PurchaseOrderRepository.layer, TestDatabase.layer))

/** An order as far as its metadata goes. Its number gives its id and its time. */
interface Placed {
  readonly number: number
  readonly buyer: string
  readonly sellers: ReadonlyArray<string>
  readonly metadata: Readonly<Record<string, string>>
}

const idOf = (number: number): string => `pur_${String(number).padStart(24, "0")}`

const place = Effect.fnUntraced(function* (orders: ReadonlyArray<Placed>) {
  const sql = yield* SqlClient
  const rows = orders.map((order) => ({
    id: idOf(order.number),
    at: order.number,
    buyer: order.buyer,
    sellers: order.sellers,
    metadata: JSON.stringify(order.metadata)
  }))
  yield* sql`
    INSERT INTO purchase_orders (id, buyer_company_id, buyer_user_id, status, payment_status, fulfilment_status, amount,
      terms, items, placed_at, updated_at, seller_ids, subtotals, due_at, due_amounts, metadata)
    SELECT row ->> 'id', row ->> 'buyer', 'usr_1', 'pending', 'unpaid', 'unfulfilled', 1, 'prepaid', 1,
      (row ->> 'at')::bigint, (row ->> 'at')::bigint, sellers, array_fill(1::bigint, ARRAY[cardinality(sellers)]),
      ARRAY[1], ARRAY[1], row ->> 'metadata'
    FROM jsonb_array_elements(${JSON.stringify(rows)}::text::jsonb) AS row,
      LATERAL (SELECT ARRAY(SELECT jsonb_array_elements_text(row -> 'sellers')) AS sellers) AS of_row`
})

const noted = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly list: string; readonly party: string; readonly keeper: string }>`
    SELECT list, party, keeper FROM metadata_keepers ORDER BY list, party COLLATE "C", keeper COLLATE "C"`
)

/** The keepers of orders, each once. */
const expected = (orders: ReadonlyArray<Placed>) => {
  const pairs = orders
    .filter(({ metadata }) => Object.keys(metadata).length > 0)
    .flatMap(({ buyer, sellers }) => sellers.map((party) => `${party} ${buyer}`))
  return [...new Set(pairs)].toSorted().map((pair) => {
    const [party = "", keeper = ""] = pair.split(" ")
    return { list: "purchase_orders", party, keeper }
  })
}

const company = fc.constantFrom("cmp_a", "cmp_b", "cmp_c", "cmp_d")

const order = fc.record({
  buyer: company,
  sellers: fc.array(company, { minLength: 1, maxLength: 3 }),
  metadata: fc.constantFrom({}, { campaign: "spring" }, { campaign: "autumn", team: "eu" })
})

const emptied = Effect.flatMap(
  SqlClient,
  (sql) => sql.unsafe("TRUNCATE metadata_keepers, payments, purchase_orders, subscriptions").unprepared
)

/** How often the tables' rows were read on this connection. What others read before is in it until it is handed in. */
const reads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [found] = yield* sql<{ readonly scans: bigint; readonly rows: bigint }>`
    SELECT coalesce(seq_scan, 0) AS scans, coalesce(idx_tup_fetch, 0) AS rows
    FROM pg_stat_xact_user_tables WHERE relname = 'purchase_orders'`
  return found ?? { scans: 0n, rows: 0n }
})

const SELLER = "cmp_seller"
const BUYERS = Array.from({ length: 499 }, (_, index) => `cmp_${index}`)

/** What stands in the place of sealed texts: the same of another company is another one. */
const sealed = (buyer: string, { key, value }: MetadataPair): MetadataPair => ({
  key: `${buyer} ${key}`,
  value: `${buyer} ${value}`
})

const PAIR: MetadataPair = { key: "team", value: "eu" }

const FILTERED: Page = {
  limit: 10,
  offset: 0,
  metadata: PAIR,
  sealedMetadata: BUYERS.map((buyer) => sealed(buyer, PAIR))
}

/** 20,000 orders with metadata, of which few have the pair: some of the seller's, and some of others'. */
const manyOrders = Array.from({ length: 20_000 }, (_, number): Placed => {
  const buyer = BUYERS[(number * 7) % BUYERS.length] ?? ""
  const isRare = number % 501 === 0
  const { key, value } = sealed(buyer, isRare ? PAIR : { key: "team", value: `${number}` })
  return {
    number,
    buyer,
    sellers: number % 2 === 0 ? [SELLER, "cmp_other"] : ["cmp_other"],
    metadata: { [key]: value }
  }
})

describe("The companies that keep metadata with a list's rows", () => {
  it("are as many as a filter takes, in their order, and none is left out silently", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* emptied
      const ids = Array.from({ length: 501 }, (_, n) => `cmp_${String(n).padStart(3, "0")}`)
      yield* sql`
        INSERT INTO metadata_keepers SELECT 'subscriptions', 'cmp_full', id FROM unnest(${ids.slice(0, 500)}::text[]) AS id`
      yield* sql`INSERT INTO metadata_keepers VALUES ('subscriptions', 'cmp_few', 'cmp_7'), ('payments', '', 'cmp_8')`
      expect(yield* keepersOf(sql, "subscriptions", "cmp_full")).toEqual(ids.slice(0, 500))
      expect(yield* keepersOf(sql, "subscriptions", "cmp_few")).toEqual(["cmp_7"])
      expect(yield* keepersOf(sql, "payments")).toEqual(["cmp_8"])
      expect(yield* keepersOf(sql, "purchase_orders", "cmp_full")).toEqual([])
      yield* sql`INSERT INTO metadata_keepers VALUES ('subscriptions', 'cmp_full', ${ids[500] ?? ""})`
      expect(yield* Effect.flip(keepersOf(sql, "subscriptions", "cmp_full"))).toMatchObject({
        code: "unprocessable",
        message: expect.stringContaining("more than 500 companies")
      })
    }))

  it("are recorded with each row that has metadata, each of them once", () =>
    Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context<SqlClient>())
      const all = fc.asyncProperty(fc.array(fc.array(order, { maxLength: 8 }), { maxLength: 3 }), (groups) => {
        const orders = groups.flat().map((one, number) => ({ ...one, number }))
        const placing = groups.map((group, at) => {
          const before = groups.slice(0, at).flat().length
          return place(orders.slice(before, before + group.length))
        })
        return run(
          Effect.gen(function* () {
            yield* emptied
            yield* Effect.all(placing)
            expect(yield* noted).toEqual(expected(orders))
          }).pipe(Effect.orDie)
        )
      })
      yield* Effect.promise(() => fc.assert(all, property(5)))
    }))

  it("are noted of payments and subscriptions too, and of all rows of before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* emptied
      const orders = manyOrders.slice(0, 10_020).map((one) => (one.number % 10 < 9 ? { ...one, metadata: {} } : one))
      yield* place(orders)
      yield* sql`
        INSERT INTO subscriptions (id, company_id, user_id, seller_id, seller_user_id, product_id, quantity, unit_price,
          every, start_at, created_at, status, paid_periods, failures, next_at, event_seq, metadata)
        SELECT 'sub_' || n, 'cmp_' || n, 'usr_1', 'cmp_seller', 'usr_2', 'prd_1', 1, 1, 'week', 1, 1, 'active', 0, 0, 1, 1,
          CASE n WHEN 3 THEN '{}' ELSE '{"a":"b"}' END
        FROM generate_series(1, 3) AS n`
      yield* sql`
        INSERT INTO payments (id, order_id, payer, company_id, provider, direct, capture, state, amount, created_at,
          changed_at, metadata)
        SELECT 'pay_' || n, 'pur_1', 'usr_1', 'cmp_' || n, 'wallet', true, 'automatic', 'created', 1, 1, 1,
          CASE n WHEN 3 THEN '{}' ELSE '{"a":"b"}' END
        FROM generate_series(1, 3) AS n`
      const all = yield* noted
      expect(all.filter(({ list }) => list === "purchase_orders")).toEqual(expected(orders))
      expect(all.filter(({ list }) => list !== "purchase_orders")).toEqual([
        { list: "payments", party: "", keeper: "cmp_1" },
        { list: "payments", party: "", keeper: "cmp_2" },
        { list: "subscriptions", party: SELLER, keeper: "cmp_1" },
        { list: "subscriptions", party: SELLER, keeper: "cmp_2" }
      ])
      yield* rollback(66)
      yield* migrate()
      expect(yield* noted).toEqual(all)
    }))
})

/** Whose orders are asked for: as whom, and by what somebody knows them to have. */
const asked = fc.record({
  role: fc.constantFrom("buyer", "seller", undefined),
  companyId: company,
  metadata: fc.constantFrom(PAIR, { key: "campaign", value: "spring" }, { key: "campaign", value: "eu" }),
  sealedMetadata: fc.constantFrom([], [{ key: "campaign", value: "autumn" }]),
  limit: fc.integer({ min: 1, max: 5 }),
  offset: fc.nat(2)
})

type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

/** The ids of the orders that a filtered list has, newest first, told order by order. */
const naively = (orders: ReadonlyArray<Placed>, { companyId, metadata, role, sealedMetadata }: Asked) =>
  orders
    .filter(({ buyer, sellers }) => {
      const [buys, sells] = [buyer === companyId, sellers.includes(companyId)]
      return role === "buyer" ? buys : role === "seller" ? sells : buys || sells
    })
    .filter((one) => [metadata, ...sealedMetadata].some(({ key, value }) => one.metadata[key] === value))
    .map(({ number }) => idOf(number))
    .toReversed()

describe("A list that is filtered by metadata", () => {
  it("has the rows of its scope that have one of the pairs, and counts them", () =>
    Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context<PurchaseOrderRepository | SqlClient>())
      const drawn = fc.tuple(fc.array(order, { maxLength: 25 }), fc.array(asked, { minLength: 1, maxLength: 8 }))
      const all = fc.asyncProperty(drawn, ([some, filters]) =>
        run(
          Effect.gen(function* () {
            const orders = some.map((one, number) => ({ ...one, number }))
            const { list } = yield* PurchaseOrderRepository
            yield* emptied
            yield* place(orders)
            for (const filter of filters) {
              const found = yield* list({ ...filter, status: undefined }, filter)
              const expected = naively(orders, filter)
              expect(found.orders.map(({ orderId }) => orderId)).toEqual(
                expected.slice(filter.offset, filter.offset + filter.limit)
              )
              expect(found.total).toBe(expected.length)
            }
          }).pipe(Effect.orDie)
        )
      )
      yield* Effect.promise(() => fc.assert(all, property(10)))
    }))

  it("reads the rows that have the pair, by its index, and no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* emptied
      yield* place(manyOrders)
      yield* sql`ANALYZE purchase_orders`
      const repository = yield* PurchaseOrderRepository
      const sold = manyOrders.filter(({ number, sellers }) => number % 501 === 0 && sellers.includes(SELLER))
      expect(sold.length).toBeGreaterThan(FILTERED.limit)
      const buyers = new Set(manyOrders.flatMap((one) => (one.sellers.includes(SELLER) ? [one.buyer] : [])))
      for (const role of ["seller", undefined] as const) {
        for (const plans of ["force_custom_plan", "force_generic_plan"]) {
          const filter: OrderFilter = { companyId: SELLER, role, status: undefined }
          const { before, found, keepers, known, plan, read } = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT set_config('plan_cache_mode', ${plans}, true)`
              const before = yield* reads
              const keepers = yield* repository.keepers(filter)
              const known = yield* reads
              const found = yield* repository.list(filter, FILTERED)
              const read = yield* reads
              const plan = yield* sql<{ readonly "QUERY PLAN": unknown }>`
                EXPLAIN (FORMAT JSON, ANALYZE) ${statement(sql, listed(sql, filter), FILTERED, undefined)}`
              return { before, found, keepers, known, plan: JSON.stringify(plan), read }
            })
          )
          expect(keepers.toSorted()).toEqual([SELLER, ...buyers].toSorted())
          expect(found.total).toBe(sold.length)
          expect(found.orders.map(({ orderId }) => orderId)).toEqual(
            sold
              .toReversed()
              .slice(0, FILTERED.limit)
              .map(({ number }) => idOf(number))
          )
          // The keepers are known without an order. The page, and the count of all pages, each find the 40 rows of all sellers
          // that have the pair, and read those again that they find.
          expect(known).toEqual(before)
          expect(read.scans).toBe(before.scans)
          expect(Number(read.rows - before.rows)).toBeLessThanOrEqual(160)
          expect(plan).toContain('"Index Name":"purchase_orders_by_pair"')
          expect(plan).not.toContain('"Seq Scan"')
        }
      }
    }))
})
