import { Effect } from "effect"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { bodyOf } from "./BenchServer.ts"
import { type BenchWorld, CAPITAL } from "./BenchWorld.ts"
import { commercePeerTables } from "./CommercePeerTables.ts"
import type { Call } from "./HttpLoad.ts"

const CONCURRENCY = 64

const PRICE = 12.5
const STOCK = 1_000_000
const DESCRIPTION = "Galvanized, with washers and nuts, in a carton that opens from either side. ".repeat(3).trim()

/** Of how many companies an order of ten lines buys. */
const SELLERS_OF_AN_ORDER = 2
const LINES = 10

/** Rows of a page, and how many pages are asked for. */
const PAGE = 20
const PAGES = 10

export interface Product {
  readonly id: string
  readonly companyId: string
}

/** Who sells what, and who buys. */
export interface CommerceWorld {
  readonly sellers: BenchWorld["traders"]
  readonly buyers: BenchWorld["traders"]
  readonly products: ReadonlyArray<Product>
}

/** How many traders sell, how many products they have together, and how many different requests are made. */
export interface CommerceSize {
  readonly sellers: number
  readonly products: number
  readonly calls: number
}

const counted = (size: number): ReadonlyArray<number> => Array.from({ length: size }, (_, index) => index)

const productCall = (number: number, token: string): Call => ({
  line: "POST /v1/commerce/products",
  body: JSON.stringify({
    name: `Product ${number}`,
    price: PRICE,
    description: DESCRIPTION,
    quantity: String(STOCK),
    type: "Consumer Product"
  }),
  token
})

/** Fills a program's shelves over HTTP. */
export const stock = Effect.fnUntraced(function* (url: string, { traders }: BenchWorld, size: CommerceSize) {
  const sellers = traders.slice(0, size.sellers)
  const buyers = traders.slice(size.sellers)
  const products = yield* Effect.forEach(
    counted(size.products),
    (number) => {
      const { companyId = "", token = "" } = sellers[number % sellers.length] ?? {}
      return Effect.map(bodyOf(url, productCall(number, token), token), (body): Product => {
        const { id } = JSON.parse(body) as { readonly id: string }
        return { id, companyId }
      })
    },
    { concurrency: CONCURRENCY }
  )
  return { sellers, buyers, products } satisfies CommerceWorld
})

/** The statements that give the peer the same products and wallets. */
export const peerTables = ({ buyers, products, sellers }: CommerceWorld): ReadonlyArray<string> =>
  commercePeerTables({
    products,
    userIds: [...sellers, ...buyers].map(({ userId }) => userId),
    price: PRICE * 100,
    stock: STOCK,
    capital: CAPITAL,
    description: DESCRIPTION
  })

export const pageCalls: ReadonlyArray<Call> = counted(PAGES).map((page) => ({
  line: `GET /v1/commerce/products?limit=${PAGE}&offset=${page * PAGE}`,
  body: ""
}))

export const productCalls = ({ products }: CommerceWorld): ReadonlyArray<Call> =>
  products.map(({ id }) => ({ line: `GET /v1/commerce/products/${id}`, body: "" }))

/** Ten products of two companies, other ones in each call. Neighbours in the list are of different companies. */
const itemsOf = ({ products, sellers }: CommerceWorld, call: number) =>
  counted(LINES).map((line) => {
    const seller = (call + (line % SELLERS_OF_AN_ORDER)) % sellers.length
    const shelf = Math.floor(products.length / sellers.length)
    const place = (call * LINES + line * 7) % shelf
    return { product_id: products[place * sellers.length + seller]?.id, quantity: 1 + (line % 3) }
  })

export const orderCalls = (world: CommerceWorld, calls: number): ReadonlyArray<Call> =>
  counted(calls).map((call) => {
    const { companyId = "", token = "" } = world.buyers[call % world.buyers.length] ?? {}
    const body = { company_id: companyId, items: itemsOf(world, call), payment_terms: { type: "prepaid" } }
    return { line: "POST /v1/orders", body: JSON.stringify(body), token }
  })

/** The same orders of a peer that keeps as much of them as the program. */
export const recordedCalls = (orders: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  orders.map((call) => ({ ...call, line: "POST /v1/orders/recorded" }))

/** From each buyer to each of some others, so that nobody runs out of money. */
export const transferCalls = ({ buyers }: CommerceWorld, calls: number): ReadonlyArray<Call> =>
  counted(calls).map((call) => {
    const sender = call % buyers.length
    const step = 1 + (Math.floor(call / buyers.length) % (buyers.length - 1))
    const { token = "", userId: from = "" } = buyers[sender] ?? {}
    const to = buyers[(sender + step) % buyers.length]?.userId
    const body = {
      pair: "USD/USD",
      quantity: "0.01",
      from,
      to,
      country: "US",
      description: "Rent of a pallet",
      createdDate: 1_700_000_000,
      mode: "local"
    }
    return { line: "POST /v1/transfers", body: JSON.stringify(body), token }
  })

/** What the peer needs, in a database of its own. */
export const peerDatabase = Effect.fnUntraced(function* (postgres: BenchPostgres, world: CommerceWorld) {
  const database = yield* postgres.create()
  yield* postgres.script(database, peerTables(world))
  return database
})
