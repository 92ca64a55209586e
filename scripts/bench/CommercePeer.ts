/**
 * A process that sells and transfers the conventional way: Fastify with JSON schemas for what comes and goes, `jose` with
 * a small cache of verified tokens, a pool of `pg` with prepared statements, and one transaction a write, which locks
 * rows in order and writes them set-based. Its tables are its own, plain ones, on the same database server.
 *
 * Where the program does more, the peer is spared it: it counts no products for a page, chains no hashes, keeps no
 * account of what stock is reserved for, and asks not whether the user is still the one of the token. `POST /v1/orders`
 * keeps the order and its lines alone. `POST /v1/orders/recorded` also keeps what the program's contract shows of an
 * order: the sub-totals of its sellers, its instalments, and who did what to it, which is what webhooks are sent from.
 */
import Fastify from "fastify"
import type { JWTPayload } from "jose"
import { randomUUID } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import {
  type OrderBody,
  orderSchema,
  pageSchema,
  productSchema,
  type TransferBody,
  transferSchema
} from "./CommercePeerSchema.ts"
import { inTransaction, openPool, run } from "./PeerDatabase.ts"
import type { PeerPlan } from "./FastifyPeer.ts"
import { authenticator, Refusal } from "./PeerTokens.ts"
import { serve } from "./Worker.ts"

interface ProductRow {
  readonly id: string
  readonly company_id: string
  readonly name: string
  readonly description: string
  readonly price_cents: string
  readonly stock: number
  readonly insurable: boolean
  readonly bidable: boolean
  readonly iscontract: boolean
  readonly type: string
  readonly created_at: Date
}

const shown = ({ price_cents, stock, ...row }: ProductRow) => ({
  ...row,
  price: Number(price_cents) / 100,
  quantity: String(stock)
})

const listProducts = (pool: Pool, limit: number, offset: number) =>
  run<ProductRow>(pool, "products", "SELECT * FROM products ORDER BY created_at DESC, id LIMIT $1 OFFSET $2", [
    limit,
    offset
  ]).then((rows) => rows.map(shown))

const getProduct = async (pool: Pool, id: string) => {
  const [row] = await run<ProductRow>(pool, "product", "SELECT * FROM products WHERE id = $1", [id])
  if (row === undefined) throw new Refusal(404, "There is no such product.")
  return shown(row)
}

interface Line {
  readonly company_id: string
  readonly product_id: string
  readonly quantity: number
  readonly unit_price: number
}

interface StockRow {
  readonly id: string
  readonly company_id: string
  readonly price_cents: string
  readonly stock: number
}

/** Locks the products in the order of their ids, so that no two orders wait for each other. */
const takeStock = async (client: PoolClient, { items }: OrderBody, companyId: string): Promise<ReadonlyArray<Line>> => {
  const ids = items.map(({ product_id }) => product_id)
  const rows = await run<StockRow>(
    client,
    "lock",
    "SELECT id, company_id, price_cents, stock FROM products WHERE id = ANY($1) ORDER BY id FOR UPDATE",
    [ids]
  )
  const products = new Map(rows.map((row) => [row.id, row]))
  const wanted = new Map<string, number>()
  const lines = items.map(({ product_id, quantity }): Line => {
    const product = products.get(product_id)
    if (product === undefined) throw new Refusal(404, "There is no such product.")
    if (product.company_id === companyId) throw new Refusal(422, "A company does not buy from itself.")
    const pieces = (wanted.get(product_id) ?? 0) + quantity
    if (pieces > product.stock) throw new Refusal(409, "There is not so much in stock.")
    wanted.set(product_id, pieces)
    return { company_id: product.company_id, product_id, quantity, unit_price: Number(product.price_cents) }
  })
  await run(
    client,
    "take",
    `UPDATE products SET stock = stock - taken.quantity
     FROM unnest($1::text[], $2::integer[]) AS taken (id, quantity) WHERE products.id = taken.id`,
    [[...wanted.keys()], [...wanted.values()]]
  )
  return lines
}

/** Two inserts and one more for the history, each of whole sets. */
const keepRecords = async (
  client: PoolClient,
  order: { readonly id: string; readonly total: number; readonly at: Date },
  lines: ReadonlyArray<Line>,
  { company_id, sub }: JWTPayload
) => {
  const { at, id, total } = order
  const subtotals = new Map<string, number>()
  for (const { company_id: seller, quantity, unit_price } of lines) {
    subtotals.set(seller, (subtotals.get(seller) ?? 0) + quantity * unit_price)
  }
  await run(
    client,
    "sellers",
    "INSERT INTO order_sellers (order_id, company_id, subtotal_cents) SELECT $1, * FROM unnest($2::text[], $3::bigint[])",
    [id, [...subtotals.keys()], [...subtotals.values()]]
  )
  await run(
    client,
    "instalments",
    "INSERT INTO order_instalments (order_id, number, due_at, amount_cents) VALUES ($1, 1, $2, $3)",
    [id, at, total]
  )
  await run(
    client,
    "history",
    "INSERT INTO order_history (order_id, type, company_id, user_id, at, data) VALUES ($1, 'order.created', $2, $3, $4, $5)",
    [id, company_id, sub, at, JSON.stringify({ id, total, lines })]
  )
}

const placeOrder = async (client: PoolClient, body: OrderBody, claims: JWTPayload, recorded: boolean) => {
  const { company_id, sub } = claims
  const companyId = String(company_id)
  if (body.company_id !== companyId) throw new Refusal(403, "One orders for one's own company.")
  const lines = await takeStock(client, body, companyId)
  const id = `pur_${randomUUID()}`
  const at = new Date()
  const total = lines.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0)
  const { type } = body.payment_terms
  await run(
    client,
    "order",
    `INSERT INTO orders (id, company_id, user_id, status, payment_type, total_cents, created_at)
     VALUES ($1, $2, $3, 'pending', $4, $5, $6)`,
    [id, companyId, sub, type, total, at]
  )
  await run(
    client,
    "lines",
    `INSERT INTO order_lines (order_id, line, product_id, quantity, unit_price_cents)
     SELECT $1, line, product_id, quantity, price
     FROM unnest($2::text[], $3::integer[], $4::bigint[]) WITH ORDINALITY AS of (product_id, quantity, price, line)`,
    [
      id,
      lines.map(({ product_id }) => product_id),
      lines.map(({ quantity }) => quantity),
      lines.map(({ unit_price }) => unit_price)
    ]
  )
  if (recorded) await keepRecords(client, { id, total, at }, lines, claims)
  return {
    id,
    company_id: companyId,
    status: "pending",
    items: lines.map(({ product_id, quantity, unit_price }) => ({
      product_id,
      quantity,
      unit_price: unit_price / 100
    })),
    payment_terms: body.payment_terms,
    total: total / 100,
    currency: "USD",
    created_at: at
  }
}

/** Locks both wallets in the order of their owners. */
const lockWallets = (client: PoolClient, owners: ReadonlyArray<string>, asset: string) =>
  run<{ user_id: string; balance: string }>(
    client,
    "wallets",
    "SELECT user_id, balance FROM wallets WHERE user_id = ANY($1) AND asset = $2 ORDER BY user_id FOR UPDATE",
    [owners, asset]
  )

const transfer = async (client: PoolClient, body: TransferBody, { sub }: JWTPayload) => {
  const { country, description, from, pair, to } = body
  const units = Math.round(Number(body.quantity) * 1e6)
  if (!(units > 0)) throw new Refusal(400, "quantity is out of range.")
  if (from !== sub || from === to) throw new Refusal(403, "One sends what one owns to another.")
  const [asset = ""] = pair.split("/")
  const wallets = await lockWallets(client, [from, to], asset)
  const source = wallets.find(({ user_id }) => user_id === from)
  if (wallets.length < 2 || source === undefined) throw new Refusal(404, "There is no such wallet.")
  if (Number(source.balance) < units) throw new Refusal(422, "There is not so much.")
  const id = `trf_${randomUUID()}`
  await run(
    client,
    "move",
    `UPDATE wallets SET balance = balance + CASE WHEN user_id = $1 THEN -$3::bigint ELSE $3::bigint END
     WHERE user_id IN ($1, $2) AND asset = $4`,
    [from, to, units, asset]
  )
  await run(
    client,
    "transfer",
    `INSERT INTO transfers (id, sender, recipient, pair, quantity, country, description, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
    [id, from, to, pair, units, country, description]
  )
  await run(
    client,
    "postings",
    "INSERT INTO postings (transfer_id, user_id, asset, amount) VALUES ($1, $2, $4, -$5::bigint), ($1, $3, $4, $5::bigint)",
    [id, from, to, asset, units]
  )
  return { from, to, quantity: body.quantity, id }
}

const start = async (plan: PeerPlan): Promise<number> => {
  const pool = openPool(plan)
  const authenticate = await authenticator(plan)
  const app = Fastify({ bodyLimit: 1_048_576 })
  app.get<{ Querystring: { limit: number; offset: number } }>(
    "/v1/commerce/products",
    { schema: pageSchema },
    (request) => authenticate(request).then(() => listProducts(pool, request.query.limit, request.query.offset))
  )
  app.get<{ Params: { id: string } }>("/v1/commerce/products/:id", { schema: productSchema }, (request) =>
    authenticate(request).then(() => getProduct(pool, request.params.id))
  )
  for (const [path, recorded] of [
    ["/v1/orders", false],
    ["/v1/orders/recorded", true]
  ] as const) {
    app.post<{ Body: OrderBody }>(path, { schema: orderSchema }, (request) =>
      authenticate(request).then((claims) =>
        inTransaction(pool, (client) => placeOrder(client, request.body, claims, recorded))
      )
    )
  }
  app.post<{ Body: TransferBody }>("/v1/transfers", { schema: transferSchema }, (request) =>
    authenticate(request).then((claims) => inTransaction(pool, (client) => transfer(client, request.body, claims)))
  )
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port)
}

serve(start)
