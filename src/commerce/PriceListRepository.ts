import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
import { NotOwnProduct, PriceTaken } from "./CommerceError.ts"

/** What a product costs a customer. */
export interface ListedPrice {
  readonly productId: string
  readonly price: Amount
}

/** A seller's prices for one customer. */
export interface PriceList {
  readonly id: string
  readonly sellerId: string
  readonly customerId: string
  readonly name: string
  /** In the sequence in which they were given. */
  readonly prices: ReadonlyArray<ListedPrice>
  readonly createdAt: number
  readonly updatedAt: number
}

/** Whose lists, and for whom; undefined: any. */
export interface PriceListFilter {
  readonly sellerId: string | undefined
  readonly customerId: string | undefined
}

export type PricesRefused = NotOwnProduct | PriceTaken

interface ListRow {
  readonly id: string
  readonly seller_company_id: string
  readonly customer_company_id: string
  readonly name: string
  readonly created_at: bigint
  readonly updated_at: bigint
}

interface PriceRow {
  readonly price_list_id: string
  readonly product_id: string
  readonly price: bigint
}

const toList = (row: ListRow, prices: ReadonlyArray<PriceRow>): PriceList => ({
  id: row.id,
  sellerId: row.seller_company_id,
  customerId: row.customer_company_id,
  name: row.name,
  prices: prices.map(({ price, product_id }) => ({ productId: product_id, price: fromUnits(price) })),
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at)
})

const reads = (sql: SqlClient) => {
  const withPrices = Effect.fnUntraced(function* (rows: ReadonlyArray<ListRow>) {
    if (rows.length === 0) return []
    const prices = yield* sql<PriceRow>`
      SELECT price_list_id, product_id, price FROM price_list_prices
      WHERE price_list_id = ANY(${rows.map(({ id }) => id)}::text[]) ORDER BY price_list_id, position`
    const of = Map.groupBy(prices, ({ price_list_id }) => price_list_id)
    return rows.map((row) => toList(row, of.get(row.id) ?? []))
  })
  const columns = sql.literal("id, seller_company_id, customer_company_id, name, created_at, updated_at")
  return {
    find: (id: string) =>
      sql<ListRow>`SELECT ${columns} FROM price_lists WHERE id = ${id}`.pipe(
        Effect.flatMap(withPrices),
        Effect.map(([list]) => list),
        unavailableOrDie
      ),
    list: Effect.fnUntraced(function* ({ customerId, sellerId }: PriceListFilter, page: Page) {
      const listed: Keyset.Listed<ListRow> = {
        select: sql`SELECT ${columns} FROM price_lists`,
        from: sql`price_lists`,
        scope: sellerId === undefined ? sql`true` : sql`seller_company_id = ${sellerId}`,
        wanted: customerId === undefined ? undefined : sql`customer_company_id = ${customerId}`,
        order: [{ column: "created_at" }, { column: "id" }],
        id: "id",
        idOf: ({ id }) => id,
        placeOf: ({ created_at, id }) => [created_at, id]
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { lists: yield* withPrices(rows), total, next }
    }, unavailableOrDie)
  }
}

const writes = (sql: SqlClient) => {
  /** Puts the prices of a list in the place of those that it had. */
  const put = Effect.fnUntraced(function* ({ customerId, id, prices, sellerId }: PriceList) {
    yield* sql`DELETE FROM price_list_prices WHERE price_list_id = ${id}`
    if (prices.length === 0) return
    const ids = prices.map(({ productId }) => productId)
    const owned = yield* sql<{ readonly id: string }>`
      SELECT id FROM products WHERE id = ANY(${ids}::text[]) AND company_id = ${sellerId}`
    const own = new Set(owned.map((row) => row.id))
    const index = ids.findIndex((productId) => !own.has(productId))
    if (index >= 0) return yield* new NotOwnProduct({ productId: ids[index] ?? "", index })
    const written = yield* sql<{ readonly product_id: string }>`
      INSERT INTO price_list_prices (customer_company_id, seller_company_id, price_list_id, product_id, position, price)
      SELECT ${customerId}, ${sellerId}, ${id}, product_id, position, price FROM unnest(
        ${ids}::text[],
        ${prices.map((_, at) => BigInt(at + 1))}::integer[],
        ${prices.map(({ price }) => price)}::bigint[]) AS given (product_id, position, price)
      ON CONFLICT DO NOTHING RETURNING product_id`
    const taken = new Set(written.map((row) => row.product_id))
    const productId = ids.find((one) => !taken.has(one))
    if (productId !== undefined) return yield* new PriceTaken({ productId })
  })

  return {
    add: (list: PriceList, within: Effect.Effect<void, Unavailable>) =>
      Effect.gen(function* () {
        const { createdAt, customerId, id, name, sellerId } = list
        yield* sql`
          INSERT INTO price_lists (id, seller_company_id, customer_company_id, name, created_at, updated_at)
          VALUES (${id}, ${sellerId}, ${customerId}, ${name}, ${BigInt(createdAt)}, ${BigInt(createdAt)})`
        yield* put(list)
        yield* within
      }).pipe(sql.withTransaction, unavailableOrDie),
    change: (list: PriceList, replaces: boolean) =>
      Effect.gen(function* () {
        const { id, name, updatedAt } = list
        const found = yield* sql`
          UPDATE price_lists SET name = ${name}, updated_at = ${BigInt(updatedAt)} WHERE id = ${id} RETURNING id`
        if (found.length === 0) return false
        if (replaces) yield* put(list)
        return true
      }).pipe(sql.withTransaction, unavailableOrDie),
    remove: (id: string) =>
      sql`DELETE FROM price_lists WHERE id = ${id} RETURNING id`.pipe(
        Effect.map((rows) => rows.length > 0),
        unavailableOrDie
      )
  }
}

/** Price lists in the database. */
export class PriceListRepository extends Context.Service<
  PriceListRepository,
  {
    readonly find: (id: string) => Effect.Effect<PriceList | undefined, Unavailable>
    /** Oldest first. */
    readonly list: (
      filter: PriceListFilter,
      page: Page
    ) => Effect.Effect<
      { readonly lists: ReadonlyArray<PriceList>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** `within` is done in the same transaction. */
    readonly add: (
      list: PriceList,
      within: Effect.Effect<void, Unavailable>
    ) => Effect.Effect<void, PricesRefused | Unavailable>
    /** Whether it was there. Its prices stay unless they are to be replaced. */
    readonly change: (
      list: PriceList,
      replaces: boolean
    ) => Effect.Effect<boolean, NotOwnProduct | PriceTaken | Unavailable>
    /** Whether it was there. */
    readonly remove: (id: string) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/commerce/PriceListRepository") {
  static readonly layer: Layer.Layer<PriceListRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => PriceListRepository.of({ ...reads(sql), ...writes(sql) }))
  )
}
