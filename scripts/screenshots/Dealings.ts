import { Effect } from "effect"
import type { Somebody } from "./Somebody.ts"

/** What the pages of commerce with an id in their address are shown of. */
export interface Dealings {
  readonly priceList: string
  readonly subscription: string
  readonly payment: string
}

interface Named {
  readonly id: string
  readonly name: string
}

const SERVICES = [
  { name: "Forklift hour", price: 48, description: "With a driver, weekdays.", quantity: "400", type: "Commodity" },
  { name: "Cross-dock handling", price: 6.2, description: "A pallet.", quantity: "9000", type: "Commodity" }
] as const

const companyOf = (somebody: Somebody) =>
  Effect.map(
    somebody.send("GET", "/api/v1/users/me"),
    (answer) => (answer as { readonly company_id: string }).company_id
  )

const byName = (answer: unknown): ReadonlyMap<string, string> =>
  new Map((answer as ReadonlyArray<Named>).map(({ id, name }) => [name, id]))

/** Gives a customer and a managed company prices of their own. */
const prices = Effect.fnUntraced(function* (me: Somebody, customer: string) {
  for (const service of SERVICES) yield* me.made("/v1/commerce/products", service)
  const company = yield* companyOf(me)
  const own = byName(yield* me.send("GET", `/v1/commerce/products?company_id=${company}`))
  const priceOf = (name: string, price: number) => ({ product_id: own.get(name) ?? "", price })
  const retail = yield* me.made("/v1/companies", { name: "Demo Retail" })
  yield* me.made("/v1/commerce/price-lists", {
    customer_company_id: retail,
    name: "Own shops",
    prices: [priceOf("Pallet space, Ghent", 11)]
  })
  const list = yield* me.made("/v1/commerce/price-lists", {
    customer_company_id: customer,
    name: "Partners 2027",
    prices: [priceOf("Pallet space, Ghent", 12.5), priceOf("Forklift hour", 45), priceOf("Cross-dock handling", 6.5)]
  })
  return { list, own }
})

/** Orders a product and pays for it by a test card; answers both. */
const paidByCard = Effect.fnUntraced(function* (
  me: Somebody,
  product_id: string,
  quantity: number,
  instruments: ReadonlyArray<string>,
  capture: "automatic" | "manual" = "automatic"
) {
  const company_id = yield* companyOf(me)
  const payment_terms = { type: "prepaid" }
  const order = yield* me.made("/v1/orders", { company_id, items: [{ product_id, quantity }], payment_terms })
  let payment = ""
  for (const instrument of instruments) {
    payment = yield* me.made("/v1/payments", { order_id: order, provider: "sandbox-card", instrument, capture })
  }
  return { order, payment }
})

/** Prices for single customers, subscriptions on both sides, and payments in every state that is soon reached. */
export const deal = Effect.fnUntraced(function* (me: Somebody, seller: Somebody): Effect.fn.Return<Dealings> {
  const { list, own } = yield* prices(me, yield* companyOf(seller))
  const catalog = byName(yield* me.send("GET", "/v1/commerce/catalog?limit=100"))
  const [bolts = "", machine = ""] = ["Hex bolts M8, zinc", "Espresso machine E61"].map((name) => catalog.get(name))
  const company_id = yield* companyOf(me)
  const subscription = yield* me.made("/v1/subscriptions", {
    company_id,
    product_id: bolts,
    quantity: 2_000,
    interval: "month",
    periods: 12
  })
  yield* me.send("POST", `/v1/subscriptions/${subscription}/renew`)
  const yearly = { company_id, product_id: machine, quantity: 1, interval: "year" }
  const ending = yield* me.made("/v1/subscriptions", yearly)
  yield* me.send("POST", `/v1/subscriptions/${ending}/cancel`, { at_period_end: true })
  const pallets = { product_id: own.get("Pallet space, Ghent") ?? "", quantity: 40, interval: "week" }
  yield* seller.made("/v1/subscriptions", { company_id: yield* companyOf(seller), ...pallets })
  yield* paidByCard(me, bolts, 1_200, ["4000000000000002", "4242424242424242"])
  yield* paidByCard(me, bolts, 900, ["4000000000007007"])
  yield* paidByCard(me, bolts, 600, ["4242424242424242"], "manual")
  yield* paidByCard(me, bolts, 400, ["4000000000000259"])
  const { order, payment } = yield* paidByCard(me, machine, 1, ["4242424242424242"])
  yield* seller.send("POST", `/v1/orders/${order}/fulfil`)
  yield* seller.send("POST", `/v1/payments/${payment}/refund`, { amount: 290 })
  return { priceList: list, subscription, payment }
})
