import { Effect } from "effect"
import type { Scope } from "effect"
import type { ServerProcess } from "../../test/lib/ServerProcess.ts"
import { deal } from "./Dealings.ts"
import type { Dealings } from "./Dealings.ts"
import { Somebody } from "./Somebody.ts"

/** The operator of the platform that is looked at. */
export const OPERATOR = { email: "operator@example.com", password: "a long password to look at" } as const

/** What the pages with an id in their address are shown of. */
export interface Populated extends Dealings {
  readonly order: string
  readonly bot: string
  readonly fund: string
  readonly webhook: string
  readonly delivery: string
  readonly arenaOrder: string
  readonly wonOrder: string
}

const BOLTS = { name: "Hex bolts M8, zinc", price: 0.25, quantity: "120000", type: "Commodity" } as const
const GOODS = [
  { ...BOLTS, description: "ISO 4017, grade 8.8, sold by the piece." },
  {
    name: "Copper cathode, grade A",
    price: 9_480,
    description: "99.99 % Cu, a tonne.",
    quantity: "60",
    type: "Commodity"
  },
  {
    name: "Espresso machine E61",
    price: 1_290,
    description: "Two groups, 230 V.",
    quantity: "40",
    type: "Consumer Product"
  }
] as const

const KYC = {
  fullnames: "Mira Okafor",
  address: "12 Harbour Road, 20457 Hamburg",
  country: "DE",
  email: "mira@example.com",
  phoneNumber: "+49 40 123456",
  identityId: "C01X00T47"
} as const

/** A receiver that refuses what its `broken` says, on a free port. */
const receiver: Effect.Effect<{ url: string; mend: () => void }, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const state = { broken: true }
      const server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () =>
          state.broken
            ? Response.json({ error: "inventory database is locked" }, { status: 500 })
            : Response.json({ received: true })
      })
      return { state, server }
    }),
    ({ server }) => Effect.promise(() => server.stop(true))
  ),
  ({ server, state }) => ({
    url: `http://127.0.0.1:${server.port}/hooks/emporion`,
    mend: () => {
      state.broken = false
    }
  })
)

const listOf = (answer: unknown, key?: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  (key === undefined ? answer : (answer as Readonly<Record<string, unknown>>)[key]) as ReadonlyArray<
    Readonly<Record<string, unknown>>
  >

const trade = Effect.fnUntraced(function* (buyer: Somebody, seller: Somebody) {
  const me = (yield* buyer.send("GET", "/api/v1/users/me")) as { readonly company_id: string }
  const products: Array<string> = []
  for (const goods of GOODS) products.push(yield* seller.made("/v1/commerce/products", goods))
  yield* buyer.made("/v1/commerce/products", {
    name: "Pallet space, Ghent",
    price: 14.5,
    description: "A month, dry store.",
    quantity: "800",
    type: "Commodity"
  })
  const orders: Array<string> = []
  for (const [at, product_id] of products.entries()) {
    orders.push(
      yield* buyer.made("/v1/orders", {
        company_id: me.company_id,
        items: [{ product_id, quantity: at === 0 ? 4_000 : 2 }],
        payment_terms: { type: "prepaid" }
      })
    )
  }
  const [paid = "", , cancelled = ""] = orders
  yield* buyer.send("POST", `/v1/orders/${paid}/pay`, {})
  yield* seller.send("POST", `/v1/orders/${paid}/fulfil`, {})
  yield* buyer.send("POST", `/v1/orders/${cancelled}/cancel`, { reason: "Bought locally." })
  return paid
})

const machine = Effect.fnUntraced(function* (me: Somebody) {
  yield* me.send("PUT", "/api/v1/users/me", { wallet_address: `0x${"7a".repeat(20)}`, phone: "+32 470 00 00 00" })
  const ids: Array<string> = []
  for (const [name, riskPreset, capabilities] of [
    ["Harbour", "balanced", ["commodity", "fx"]],
    ["Northern light", "aggressive", ["gpu", "options"]]
  ] as const) {
    const answer = (yield* me.send("POST", "/api/arena/machine-traders", {
      name,
      capabilities,
      strategy: { riskPreset, maxCollateralPerTrade: 400 },
      collateral_amount: 5_000,
      credit_budget: 2_000
    })) as { readonly bot: { readonly bot_id: string } }
    ids.push(answer.bot.bot_id)
    yield* me.send("POST", `/api/arena/machine-traders/${answer.bot.bot_id}/start`)
  }
  return ids.at(-1) ?? ""
})

/** Offers a good price on every order that is open, so that some are won. */
const compete = Effect.fnUntraced(function* (me: Somebody) {
  const open = listOf(yield* me.send("GET", "/api/arena/orders?status=open&limit=4"), "orders")
  for (const { entry_price: entry, order_id, quantity } of open) {
    const price = Math.round(Number(entry) * 1.05 * 100) / 100
    yield* Effect.ignore(
      Effect.sandbox(
        me.send("POST", "/api/arena/commitments", {
          order_id,
          proposed_entry_price: price,
          expected_exit_price: Math.round(price * 120) / 100,
          quantity: Math.max(0.000001, Math.round(Number(quantity) * 1e5) / 1e6),
          slippage_tolerance: 0
        })
      )
    )
  }
})

const settledOf = (me: Somebody) =>
  Effect.map(me.send("GET", "/api/arena/orders?status=settled&limit=20"), (answer) => listOf(answer, "orders"))

/** Waits until an order has settled, which the demonstration's short times bring soon. */
const settled = Effect.fnUntraced(function* (me: Somebody, rounds: number) {
  for (let round = 0; round < rounds; round++) {
    yield* compete(me)
    const found = yield* settledOf(me)
    if (found.length >= 4) return String(found[0]?.["order_id"] ?? "")
    yield* Effect.sleep("3 seconds")
  }
  return ""
})

/** Fills the platform with what its pages are for. */
export const populate = Effect.fnUntraced(function* (
  { person, url }: ServerProcess,
  patience: number
): Effect.fn.Return<Populated, never, Scope.Scope> {
  const hooks = yield* receiver
  const me = yield* Somebody.signIn(url, person.name, person.secret)
  const operator = yield* Somebody.signIn(url, OPERATOR.email, OPERATOR.password)
  const seller = yield* Somebody.register(url, "Okafor Metals", KYC.email, "a long password to sell")
  const { company_id } = (yield* me.send("GET", "/api/v1/users/me")) as { readonly company_id: string }
  yield* operator.send("PUT", `/v1/companies/${company_id}/plan`, { plan: "pro" })
  yield* seller.send("POST", "/v1/kyc", KYC)
  yield* operator.send("PUT", `/v1/users/verify/${seller.id}`)
  const webhook = yield* me.made("/v1/webhooks", { url: hooks.url, events: ["*"], description: "Warehouse" })
  yield* me.send("POST", "/v1/webhooks", { url: "https://hooks.example.com/ledger", events: ["payment.captured"] })
  yield* me.send("POST", "/v1/clients", { name: "Warehouse sync", scopes: ["orders:read", "orders:write"] })
  yield* me.send("POST", "/v1/clients", { name: "Treasury", scopes: ["payments:read", "payments:write"] })
  for (const [type, symbol] of [
    ["EUR", "12500"],
    ["XAU", "14.25"]
  ]) {
    yield* me.send("POST", "/v1/funds", { owner: me.id, type, symbol })
  }
  const order = yield* trade(me, seller)
  const dealings = yield* deal(me, seller)
  yield* me.send("POST", "/v1/credit/request", {
    annualIncome: 65_000,
    homeOwnership: true,
    empLength: "5",
    loanAmt: 9_000,
    purpose: "venture",
    desc: "Stock for the season"
  })
  const bot = yield* machine(me)
  const wonOrder = yield* settled(me, patience)
  hooks.mend()
  const [delivery] = listOf(yield* me.send("GET", `/v1/webhooks/${webhook}/deliveries?limit=1`))
  const funds = listOf(yield* me.send("GET", "/v1/funds"))
  const [open] = listOf(yield* me.send("GET", "/api/arena/orders?limit=1"), "orders")
  return {
    ...dealings,
    order,
    bot,
    fund: String(funds.find(({ type }) => type === "USD")?.["id"] ?? ""),
    webhook,
    delivery: String(delivery?.["id"] ?? ""),
    arenaOrder: String(open?.["order_id"] ?? ""),
    wonOrder
  }
})
