import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Product, productStream, takingsOf } from "../../engine/commerce/Product.ts"
import { type ProductType } from "../../engine/commerce/ProductFacts.ts"
import { countOf, stockOf } from "../../engine/commerce/Stock.ts"
import type { QuotedProduct } from "../../engine/commerce/OrderPlacing.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { Direct } from "../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { metadataColumn } from "../../engine/metadata/Metadata.ts"
import { isGone } from "../erasure/PayeeRepository.ts"
import * as Keyset from "../database/Keyset.ts"

/** A product with its pieces. */
export interface StockedProduct {
  readonly product: Product
  /** Pieces that are for sale. */
  readonly available: number
  /** Pieces that orders have taken and that are not delivered. */
  readonly reserved: number
}

/** What a customer pays for a product, where its seller says so. */
export interface OwnPrice {
  readonly price: Amount
  readonly priceListId: string
}

/** A customer's own prices by product. */
export type OwnPrices = ReadonlyMap<string, Amount>

/** A product as one customer may buy it. */
export interface CatalogProduct extends StockedProduct {
  readonly own: OwnPrice | undefined
}

/** Which of a customer's own prices: those of some products, or any so many. */
export type OwnPricesOf = { readonly of: ReadonlyArray<string> } | { readonly limit: number }

/** Which products; undefined: any. */
export interface ProductFilter {
  readonly companyId: string | undefined
  readonly type: ProductType | undefined
  readonly bidable: boolean | undefined
  readonly isContract: boolean | undefined
  /** A part of the name or the description, in whatever case. */
  readonly text: string | undefined
}

/** Whose prices, and the companies whose products are left out. */
export interface CatalogOf {
  readonly customerId: string
  readonly notOf: ReadonlyArray<string>
}

interface ProductRow {
  readonly id: string
  readonly company_id: string
  readonly user_id: string
  readonly name: string
  readonly description: string
  readonly price: bigint
  readonly type: ProductType
  readonly insurable: boolean
  readonly bidable: boolean
  readonly is_contract: boolean
  readonly version: number
  readonly created_at: bigint
  readonly updated_at: bigint
  readonly metadata: string
}

type QuotedRow = Pick<ProductRow, "id" | "company_id" | "user_id" | "price" | "version">

interface StockedRow extends ProductRow {
  readonly balance: string
  readonly held: string
}

interface CatalogRow extends StockedRow {
  readonly own_price: bigint | null
  readonly price_list_id: string | null
}

const toProduct = (row: ProductRow): Product => ({
  productId: row.id,
  companyId: row.company_id,
  userId: row.user_id,
  name: row.name,
  description: row.description,
  price: fromUnits(row.price),
  type: row.type,
  insurable: row.insurable,
  bidable: row.bidable,
  isContract: row.is_contract,
  version: row.version,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  ...metadataColumn(row)
})

const toQuoted = (row: QuotedRow): QuotedProduct => ({
  productId: row.id,
  companyId: row.company_id,
  userId: row.user_id,
  price: fromUnits(row.price),
  version: row.version,
  stream: productStream(row.id),
  takings: takingsOf({ userId: row.user_id }),
  stock: stockOf(row.company_id, row.id)
})

const toStocked = (row: StockedRow): StockedProduct => {
  const [balance, held] = [BigInt(row.balance), BigInt(row.held)]
  return { product: toProduct(row), available: countOf(fromUnits(balance - held)), reserved: countOf(fromUnits(held)) }
}

const toCatalog = (row: CatalogRow): CatalogProduct => ({
  ...toStocked(row),
  own:
    row.own_price === null || row.price_list_id === null
      ? undefined
      : { price: fromUnits(row.own_price), priceListId: row.price_list_id }
})

const facts = `product.id, product.company_id, product.user_id, product.name, product.description, product.price,
  product.type, product.insurable, product.bidable, product.is_contract, product.version, product.created_at,
  product.updated_at, product.metadata`

const stocked = `${facts}, coalesce(stock.balance, 0)::text AS balance, coalesce(stock.held, 0)::text AS held`

const withStock = "products AS product LEFT JOIN ledger_accounts AS stock ON stock.id = product.stock_account"

const where = (sql: SqlClient, { bidable, companyId, isContract, text, type }: ProductFilter) => {
  const conditions = [
    ...(companyId === undefined ? [] : [sql`product.company_id = ${companyId}`]),
    ...(type === undefined ? [] : [sql`product.type = ${type}`]),
    ...(bidable === undefined ? [] : [sql`product.bidable = ${bidable}`]),
    ...(isContract === undefined ? [] : [sql`product.is_contract = ${isContract}`]),
    ...(text === undefined
      ? []
      : [sql`position(lower(${text}) IN lower(product.name || ' ' || product.description)) > 0`])
  ]
  return conditions.length === 0 ? sql`true` : sql.and(conditions)
}

const reads = (sql: SqlClient) => {
  const fromStock = sql.literal(withStock)
  const products = {
    from: sql`products AS product`,
    order: [{ column: "product.created_at" }, { column: "product.id" }],
    id: "product.id"
  }
  return {
    find: (id: string) =>
      sql<StockedRow>`SELECT ${sql.literal(stocked)} FROM ${fromStock} WHERE product.id = ${id}`.pipe(
        Effect.map(([row]) => (row === undefined ? undefined : toStocked(row))),
        unavailableOrDie
      ),
    isSellerGone: ({ userId }: Product) =>
      sql<{ readonly gone: boolean }>`
        SELECT ${sql.literal(isGone("payee.id"))} AS gone FROM (SELECT ${userId}::text AS id) AS payee`.pipe(
        Effect.map(([row]) => row?.gone === true),
        unavailableOrDie
      ),
    list: Effect.fnUntraced(function* (filter: ProductFilter, page: Page) {
      const listed: Keyset.Listed<StockedRow> = {
        ...products,
        select: sql`SELECT ${sql.literal(stocked)} FROM ${fromStock}`,
        scope: sql`true`,
        wanted: where(sql, filter),
        idOf: ({ id }) => id
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { products: rows.map(toStocked), total, next }
    }, unavailableOrDie),
    catalog: Effect.fnUntraced(function* ({ customerId, notOf }: CatalogOf, filter: ProductFilter, page: Page) {
      const listed: Keyset.Listed<CatalogRow> = {
        ...products,
        select: sql`
          SELECT ${sql.literal(stocked)}, own.price AS own_price, own.price_list_id
          FROM ${fromStock} LEFT JOIN price_list_prices AS own
            ON own.product_id = product.id AND own.customer_company_id = ${customerId}`,
        scope: sql`product.company_id <> ALL(${notOf}::text[])`,
        wanted: where(sql, filter),
        idOf: ({ id }) => id
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { products: rows.map(toCatalog), total, next }
    }, unavailableOrDie),
    quoted: (ids: ReadonlyArray<string>) =>
      sql<QuotedRow>`
        SELECT id, company_id, user_id, price, version FROM products
        WHERE id = ANY(${ids}::text[]) AND NOT ${sql.literal(isGone("products.user_id"))}`.pipe(
        Effect.map((rows) => rows.map(toQuoted)),
        unavailableOrDie
      ),
    ownPrices: (customerId: string, which: OwnPricesOf) => {
      const those = "of" in which ? sql`AND product_id = ANY(${which.of}::text[])` : sql`LIMIT ${BigInt(which.limit)}`
      return sql<{ readonly product_id: string; readonly price: bigint }>`
        SELECT product_id, price FROM price_list_prices WHERE customer_company_id = ${customerId} ${those}`.pipe(
        Effect.map((rows): OwnPrices => new Map(rows.map(({ price, product_id }) => [product_id, fromUnits(price)]))),
        unavailableOrDie
      )
    }
  }
}

/** Products as the tables have them, whatever the journal has behind them. */
const states = (sql: SqlClient) => (ids: ReadonlyArray<string>) =>
  Effect.map(
    sql<ProductRow>`
      SELECT ${sql.literal(facts)} FROM products AS product WHERE product.id = ANY(${texts(ids)}::text[])`,
    (rows) => rows.map(toProduct)
  )

/** Products in the database. */
export class ProductRepository extends Context.Service<
  ProductRepository,
  {
    readonly find: (id: string) => Effect.Effect<StockedProduct | undefined, Unavailable>
    /** Whether nobody can act any more for the user who is paid for the product. */
    readonly isSellerGone: (product: Product) => Effect.Effect<boolean, Unavailable>
    /** Oldest first. */
    readonly list: (
      filter: ProductFilter,
      page: Page
    ) => Effect.Effect<
      { readonly products: ReadonlyArray<StockedProduct>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** What a customer can buy, at its own prices, oldest first. */
    readonly catalog: (
      of: CatalogOf,
      filter: ProductFilter,
      page: Page
    ) => Effect.Effect<
      { readonly products: ReadonlyArray<CatalogProduct>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** What a quote tells of those products that there are, and whose lister can still be paid. */
    readonly quoted: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<QuotedProduct>, Unavailable>
    /** What a customer pays for products where their sellers say so. */
    readonly ownPrices: (customerId: string, which: OwnPricesOf) => Effect.Effect<OwnPrices, Unavailable>
    /** Those of these products that the tables have. Does not wait for the tables to follow the journal. */
    readonly states: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Product>, SqlError>
  }
>()("emporion/commerce/ProductRepository") {
  static readonly layer: Layer.Layer<ProductRepository, never, SqlClient | Direct> = Layer.effect(
    this,
    Effect.zipWith(SqlClient, Direct, (sql, direct) => ProductRepository.of({ ...reads(sql), states: states(direct) }))
  )
}
