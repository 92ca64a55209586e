import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { Owners } from "../../../src/identity/users/Owners.ts"
import { withLayer } from "../../lib/Effects.ts"
import { Market, type PurchaseOrderJson, type Trader } from "../../lib/Market.ts"

class TheMarket extends Context.Service<TheMarket, Market>()("test/PurchaseOrderHandlers/Market") {}

const it = withLayer(Layer.effect(TheMarket, Market.make()))

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)

interface HistoryJson {
  readonly number: number
  readonly type: string
  readonly user_id: string
  readonly amount: number | null
  readonly reason: string | null
}

/** A buyer with money and credit, and two sellers with a product each. */
const fixture = Effect.gen(function* () {
  const market = yield* TheMarket
  const buyer = yield* market.trader(usd(500), usd(500))
  const [ada, bob, stranger] = [yield* market.trader(), yield* market.trader(), yield* market.trader()]
  const [anvil, bolt] = [yield* market.offer(ada, 33.34, 10), yield* market.offer(bob, 0.5, 100)]
  const items = [
    [anvil.id, 2],
    [bolt.id, 10]
  ] as const
  const balance = ({ id }: Trader) => Effect.map(market.account(walletOf(id, "USD")), (account) => account.balance)
  return { market, server: market.server, buyer, ada, bob, stranger, anvil, bolt, items, balance }
})

const states = ({ fulfilment_status, payment_status, status }: PurchaseOrderJson) => [
  status,
  payment_status,
  fulfilment_status
]

describe("POST /v1/orders", () => {
  it("keeps metadata, which sellers see, and by which a list is filtered", () =>
    Effect.gen(function* () {
      const { ada, anvil, buyer, market, server } = yield* fixture
      const body = {
        company_id: buyer.companyId,
        items: [{ product_id: anvil.id, quantity: 1 }],
        payment_terms: { type: "prepaid" },
        metadata: { project: "mill", none: "" }
      }
      const { json } = yield* server.post<PurchaseOrderJson>("/v1/orders", body, { as: buyer.id })
      yield* market.order(buyer, [[anvil.id, 1]])
      expect(json).toMatchObject({ metadata: { project: "mill" } })
      for (const { id } of [buyer, ada]) {
        const seen = yield* server.get<PurchaseOrderJson>(`/v1/orders/${json.id}`, id)
        expect(seen.json).toMatchObject({ metadata: { project: "mill" } })
        const listed = (pair: string) =>
          Effect.map(server.get<ReadonlyArray<PurchaseOrderJson>>(`/v1/orders?metadata=${pair}`, id), (list) =>
            list.json.map((order) => order.id)
          )
        expect([yield* listed("project:mill"), yield* listed("project:mine")]).toEqual([[json.id], []])
      }
    }))

  it("answers the whole order with a sub-total for each seller and a schedule that sums to the amount", () =>
    Effect.gen(function* () {
      const { ada, anvil, bob, bolt, buyer, items, market } = yield* fixture
      const { json, status } = yield* market.order(buyer, items, { type: "installments", installments: 3 })
      const time = expect.stringMatching(/Z$/)
      const part = (number: number, amount: number) => ({
        number,
        amount,
        due_at: time,
        paid: false,
        overdue_since: null
      })
      const subtotal = (company: Trader, amount: number) => ({
        company_id: company.companyId,
        subtotal: amount,
        paid: 0,
        fulfilled_at: null
      })
      expect([status, json as unknown]).toEqual([
        200,
        {
          id: expect.stringMatching(/^pur_[0-9a-z]{24}$/),
          object: "order",
          company_id: buyer.companyId,
          status: "pending",
          payment_status: "unpaid",
          fulfilment_status: "unfulfilled",
          amount: 71.68,
          amount_due: 71.68,
          overdue: false,
          currency: "USD",
          payment_terms: {
            type: "installments",
            installments: 3,
            schedule: [part(1, 23.92), part(2, 23.88), part(3, 23.88)]
          },
          sellers: [subtotal(ada, 66.68), subtotal(bob, 5)],
          item_count: 2,
          metadata: {},
          items: [
            { product_id: anvil.id, seller_company_id: ada.companyId, quantity: 2, unit_price: 33.34, total: 66.68 },
            { product_id: bolt.id, seller_company_id: bob.companyId, quantity: 10, unit_price: 0.5, total: 5 }
          ],
          payments: [],
          created_at: time,
          updated_at: time
        }
      ])
    }))

  it("refuses what cannot be ordered, and says what could", () =>
    Effect.gen(function* () {
      const { ada, anvil, bolt, buyer, items, market, server, stranger } = yield* fixture
      const refusal = (order: Effect.Effect<{ status: number; json: { code: string; message: string } }>) =>
        Effect.map(order, ({ json, status }) => [status, json.code, json.message])
      const field = (path: string) => expect.stringMatching(new RegExp(`^payload\\.${path}: Expected`))
      const noCount = "payload.payment_terms.installments: Expected none: only the type installments takes a count"
      const bad: ReadonlyArray<readonly [unknown, ReadonlyArray<readonly [string, number]>, number, unknown]> = [
        [{ type: "prepaid" }, [], 400, field("items")],
        [{ type: "prepaid" }, [[anvil.id, 0]], 400, field("items.0.quantity")],
        [{ type: "prepaid" }, [[anvil.id, 1.5]], 400, field("items.0.quantity")],
        [{ type: "prepaid" }, [[bolt.id, 1_000_001]], 400, field("items.0.quantity")],
        [{ type: "installments" }, items, 400, field("payment_terms.installments")],
        [{ type: "installments", installments: 13 }, items, 400, field("payment_terms.installments")],
        [{ type: "prepaid", installments: 3 }, items, 400, noCount],
        [{ type: "net_30", installments: 2 }, items, 400, noCount],
        [{ type: "net_60", installments: -1 }, items, 400, noCount],
        [{ type: "net_45" }, items, 400, field("payment_terms.type")],
        [null, items, 400, expect.stringContaining("payload.payment_terms")],
        [
          { type: "prepaid" },
          [
            [anvil.id, 1],
            ["prd_none", 1]
          ],
          422,
          field("items.1.product_id")
        ],
        [
          { type: "prepaid" },
          [[anvil.id, 11]],
          409,
          `There are 10 pieces of ${anvil.id} left: order at most that many.`
        ],
        [
          { type: "net_30" },
          [
            [anvil.id, 10],
            [bolt.id, 100]
          ],
          200,
          undefined
        ],
        [{ type: "net_60" }, [[bolt.id, 1]], 409, expect.stringContaining("0 pieces")]
      ]
      for (const [terms, lines, status, message] of bad) {
        const answer = yield* market.order(buyer, lines, terms)
        expect([terms, answer.status, answer.json.message]).toEqual([terms, status, message as string])
      }
      expect(yield* refusal(market.order(ada, [[anvil.id, 1]]))).toEqual([
        422,
        "unprocessable",
        field("items.0.product_id")
      ])
      const foreign = { company_id: buyer.companyId, items: [], payment_terms: { type: "prepaid" } }
      const asked = { ...foreign, items: [{ product_id: anvil.id, quantity: 1 }] }
      expect((yield* server.post("/v1/orders", asked, { as: stranger.id })).status).toBe(404)
    }))

  it("gives no credit to whom it was not granted, or who has shown no papers", () =>
    Effect.gen(function* () {
      const { bolt, market, server } = yield* fixture
      const registered = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", {
        email: "unverified@example.com",
        password: "correct horse battery staple",
        company_name: "New"
      })
      const { companyId } = yield* server.run(Effect.flatMap(Owners, ({ ownerOf }) => ownerOf(registered.json.id)))
      const unverified = { id: registered.json.id, companyId }
      const papers = yield* market.order(unverified, [[bolt.id, 1]], { type: "net_30" })
      expect([papers.status, papers.json.message]).toEqual([403, expect.stringContaining("verified KYC record")])
      expect((yield* market.order(unverified, [[bolt.id, 1]])).status).toBe(200)
      const poor = yield* market.trader()
      const limit = yield* market.order(poor, [[bolt.id, 1]], { type: "net_30" })
      expect([limit.status, limit.json.message]).toEqual([
        422,
        expect.stringContaining("The free credit limit is 0 USD")
      ])
    }))

  it("lets a company order for one that it manages, and see to it", () =>
    Effect.gen(function* () {
      const { ada, balance, bolt, buyer, market, server, stranger } = yield* fixture
      const { json: managed } = yield* server.post<{ readonly id: string }>(
        "/v1/companies",
        { name: "Branch" },
        { as: buyer.id }
      )
      const branch = { id: buyer.id, companyId: managed.id }
      const { json, status } = yield* market.order(branch, [[bolt.id, 4]])
      expect([status, json.company_id]).toEqual([200, managed.id])
      expect((yield* market.order({ ...branch, id: stranger.id }, [[bolt.id, 4]])).status).toBe(404)
      expect((yield* market.act(json, "pay", buyer)).json.status).toBe("paid")
      expect(yield* balance(buyer)).toBe(usd(498))
      const listed = yield* server.get<ReadonlyArray<PurchaseOrderJson>>(
        `/v1/orders?company_id=${managed.id}`,
        buyer.id
      )
      expect(listed.json.map(({ id }) => id)).toEqual([json.id])
      expect((yield* server.get(`/v1/orders?company_id=${managed.id}`, ada.id)).status).toBe(404)
    }))
})

describe("An order's life", () => {
  it("is paid, delivered by each seller, and told in its history", () =>
    Effect.gen(function* () {
      const { ada, balance, bob, buyer, items, market, server } = yield* fixture
      const { json: order } = yield* market.order(buyer, items)
      const early = yield* market.act(order, "fulfil", ada)
      expect([early.status, early.json.message]).toEqual([409, expect.stringContaining("71.68 USD are missing")])
      const paid = yield* market.act(order, "pay", buyer)
      expect([...states(paid.json), paid.json.amount_due]).toEqual(["paid", "paid", "unfulfilled", 0])
      expect([yield* balance(ada), yield* balance(bob)]).toEqual([fromUnits(66_680_000n), usd(5)])
      expect((yield* market.act(order, "pay", buyer)).status).toBe(409)
      expect(states((yield* market.act(order, "fulfil", bob)).json)).toEqual(["fulfilled", "paid", "fulfilled"])
      const between = yield* server.get<PurchaseOrderJson>(`/v1/orders/${order.id}`, buyer.id)
      expect(states(between.json)).toEqual(["paid", "paid", "partially_fulfilled"])
      for (const act of ["fulfil", "cancel"] as const) expect((yield* market.act(order, act, bob)).status).toBe(409)
      const done = yield* market.act(order, "fulfil", ada)
      expect(states(done.json)).toEqual(["fulfilled", "paid", "fulfilled"])
      expect((yield* market.product(items[0][0], buyer)).reserved).toBe("0")
      const history = yield* server.get<ReadonlyArray<HistoryJson>>(`/v1/orders/${order.id}/history`, buyer.id)
      expect(history.json.map(({ amount, number, type, user_id }) => [number, type, user_id, amount])).toEqual([
        [1, "order.created", buyer.id, 71.68],
        [2, "order.paid", buyer.id, 71.68],
        [3, "order.fulfilled", bob.id, null],
        [4, "order.fulfilled", ada.id, null]
      ])
      const own = yield* server.get<ReadonlyArray<HistoryJson>>(`/v1/orders/${order.id}/history`, ada.id)
      expect(own.json.map(({ amount, number, type, user_id }) => [number, type, user_id, amount])).toEqual([
        [1, "order.created", buyer.id, 66.68],
        [2, "order.paid", buyer.id, 66.68],
        [3, "order.fulfilled", ada.id, null]
      ])
    }))

  it("is to each seller its own part, in lists, their filters and totals too", () =>
    Effect.gen(function* () {
      const { ada, bob, buyer, items, market, server } = yield* fixture
      const { json: order } = yield* market.order(buyer, items, { type: "installments", installments: 3 })
      yield* market.act(order, "pay", buyer, { instalments: "next" })
      yield* market.act(order, "fulfil", bob)
      const seen = (by: { readonly id: string }) => server.get<PurchaseOrderJson>(`/v1/orders/${order.id}`, by.id)
      const listed = (by: { readonly id: string }, query: string) =>
        server.get<ReadonlyArray<PurchaseOrderJson>>(`/v1/orders${query}`, by.id)
      const [toAda, toBob] = [(yield* seen(ada)).json, (yield* seen(bob)).json]
      expect(toAda).toMatchObject({ amount: 66.68, amount_due: 44.44, item_count: 1, status: "pending" })
      expect(toAda).toMatchObject({ fulfilment_status: "unfulfilled", payments: [{ amount: 22.24 }] })
      expect(toBob).toMatchObject({ amount: 5, amount_due: 3.32, item_count: 1, status: "fulfilled" })
      expect(toAda.payment_terms.schedule.map(({ amount }) => amount)).toEqual([22.24, 22.22, 22.22])
      expect(toBob.payment_terms.schedule.map(({ amount }) => amount)).toEqual([1.68, 1.66, 1.66])
      for (const [one, whole] of [
        [ada, toAda],
        [bob, toBob]
      ] as const) {
        const {
          items: _,
          payments: __,
          ...summary
        } = whole as PurchaseOrderJson & { items: unknown; payments: unknown }
        expect((yield* listed(one, "")).json as unknown).toEqual([summary])
        const statuses = ["pending", "paid", "fulfilled", "cancelled"]
        const found = yield* Effect.forEach(statuses, (status) => listed(one, `?role=seller&status=${status}`))
        expect(found.map(({ headers, json }) => [headers.get("x-total-count"), json.length])).toEqual(
          statuses.map((status) => (status === whole.status ? ["1", 1] : ["0", 0]))
        )
      }
      expect((yield* listed(buyer, "?status=pending")).json).toHaveLength(1)
    }))

  it("gives back pieces, limit and every payment to where it came from when it is cancelled", () =>
    Effect.gen(function* () {
      const { ada, balance, bob, buyer, items, market, server } = yield* fixture
      const terms = { type: "installments", installments: 4 }
      const { json: order } = yield* market.order(buyer, items, terms)
      yield* market.act(order, "pay", buyer, { instalments: "next" })
      const half = yield* market.act(order, "pay", buyer, { instalments: "next" })
      expect(states(half.json)).toEqual(["pending", "partially_paid", "unfulfilled"])
      expect(half.json.payment_terms.schedule.map(({ paid }) => paid)).toEqual([true, true, false, false])
      const cancelled = yield* market.act(order, "cancel", bob, { reason: "No longer made" })
      expect(states(cancelled.json)).toEqual(["cancelled", "refunded", "cancelled"])
      expect([yield* balance(buyer), yield* balance(ada), yield* balance(bob)]).toEqual([usd(500), usd(0), usd(0)])
      expect((yield* market.account(`${buyer.id}/USD-CREDIT/credit_limit`)).held).toBe(0n)
      expect((yield* market.product(items[0][0], buyer)).quantity).toBe("10")
      for (const act of ["pay", "fulfil", "cancel"] as const) {
        const again = yield* market.act(order, act, act === "fulfil" ? ada : buyer)
        expect([act, again.status, again.json.code]).toEqual([act, 409, "conflict"])
      }
      const history = yield* server.get<ReadonlyArray<HistoryJson>>(`/v1/orders/${order.id}/history`, buyer.id)
      expect(history.json.at(-1)).toMatchObject({ type: "order.cancelled", user_id: bob.id, reason: "No longer made" })
    }))

  it("stays as it is where a seller has not the money to give back, and where the buyer has not what it pays", () =>
    Effect.gen(function* () {
      const { ada, anvil, bob, buyer, market } = yield* fixture
      const { json: order } = yield* market.order(buyer, [[anvil.id, 3]])
      yield* market.act(order, "pay", buyer)
      const dear = yield* market.offer(bob, 100.02, 1)
      const { json: spent } = yield* market.order(ada, [[dear.id, 1]])
      yield* market.act(spent, "pay", ada)
      const refused = yield* market.act(order, "cancel", buyer)
      expect([refused.status, refused.json.code]).toEqual([409, "conflict"])
      const seen = yield* market.server.get<PurchaseOrderJson>(`/v1/orders/${order.id}`, buyer.id)
      expect(states(seen.json)).toEqual(["paid", "paid", "unfulfilled"])
      const poor = yield* market.trader(usd(1))
      const { json: unpayable } = yield* market.order(poor, [[anvil.id, 1]])
      const short = yield* market.act(unpayable, "pay", poor)
      expect([short.status, short.json.message]).toEqual([
        422,
        "The payment needs 33.34 USD and 1 are available: add funds first."
      ])
      expect(yield* market.faults).toEqual([])
    }))

  it("happens once under a key, and answers the same again", () =>
    Effect.gen(function* () {
      const { ada, balance, buyer, items, market } = yield* fixture
      const terms = { type: "installments", installments: 6 }
      const placed = [yield* market.order(buyer, items, terms, "o"), yield* market.order(buyer, items, terms, "o")]
      const order = placed[0]!.json
      expect(placed[1]!.text).toBe(placed[0]!.text)
      for (const [act, by, key] of [
        ["pay", buyer, "p"],
        ["cancel", ada, "c"]
      ] as const) {
        const body = { instalments: "next" }
        const [first, again] = [
          yield* market.act(order, act, by, body, key),
          yield* market.act(order, act, by, body, key)
        ]
        expect([first.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([200, first.text, "true"])
        expect((yield* market.act(order, act, by, { instalments: "all" }, key)).status).toBe(422)
      }
      expect(yield* balance(buyer)).toBe(usd(500))
      const [kept] = yield* market.sql<{ count: bigint }>(
        "SELECT count(*) FROM idempotency_keys WHERE body LIKE '%pur_%'"
      )
      expect(kept?.count).toBeGreaterThanOrEqual(3n)
    }))
})

describe("Who takes part in an order", () => {
  it("sees its part of it, and nobody else sees that it is there", () =>
    Effect.gen(function* () {
      const { ada, anvil, bob, buyer, items, market, server, stranger } = yield* fixture
      const { json: order } = yield* market.order(buyer, items)
      const paid = yield* market.act(order, "pay", buyer)
      const asAda = yield* server.get<PurchaseOrderJson>(`/v1/orders/${order.id}`, ada.id)
      expect(asAda.json.items.map(({ product_id }) => product_id)).toEqual([anvil.id])
      expect(asAda.json.sellers.map(({ company_id, paid: got }) => [company_id, got])).toEqual([[ada.companyId, 66.68]])
      expect(asAda.json.payments.map(({ amount }) => amount)).toEqual([66.68])
      expect((yield* server.get(`/v1/orders/${order.id}`, buyer.id)).json).toEqual(paid.json as unknown)
      for (const path of [`/v1/orders/${order.id}`, `/v1/orders/${order.id}/history`]) {
        expect((yield* server.get(path, stranger.id)).status).toBe(404)
      }
      for (const act of ["pay", "fulfil", "cancel"] as const) {
        expect((yield* market.act(order, act, stranger)).status).toBe(404)
      }
      expect((yield* market.act(order, "pay", ada)).json.code).toBe("access_denied")
      expect((yield* market.act(order, "fulfil", buyer)).json.code).toBe("access_denied")
      const found = (query: string, as: Trader) =>
        Effect.map(server.get<ReadonlyArray<PurchaseOrderJson>>(`/v1/orders?${query}`, as.id), ({ headers, json }) => [
          headers.get("x-total-count"),
          ...json.flatMap(({ id, sellers }) => [id === order.id, sellers.length])
        ])
      expect(yield* found("", buyer)).toEqual(["1", true, 2])
      expect(yield* found("role=seller", buyer)).toEqual(["0"])
      expect(yield* found("role=seller&status=paid", bob)).toEqual(["1", true, 1])
      expect(yield* found("role=buyer", bob)).toEqual(["0"])
      expect(yield* found("status=pending", bob)).toEqual(["0"])
      expect(yield* found("", stranger)).toEqual(["0"])
    }))
})
