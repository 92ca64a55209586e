import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import fc from "fast-check"
import type { OrderObject } from "../../../engine/commerce/OrderObject.ts"
import { dueStep } from "../../../engine/commerce/OverdueDecision.ts"
import type { PaymentTerms } from "../../../engine/commerce/PaymentTerms.ts"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { DueInstalments, ROUND } from "../../../src/commerce/DueInstalments.ts"
import { makePlacing } from "../../../src/commerce/PlaceOrder.ts"
import { dueOrders, PurchaseOrderRepository } from "../../../src/commerce/PurchaseOrderRepository.ts"
import { arrearsRows } from "../../../src/credit/CreditRepository.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { Market, type Trader } from "../../lib/Market.ts"
import { runs } from "../../lib/Property.ts"

const DAY = 86_400_000
const NET_30 = { type: "net_30" } as const
const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)
const all = { concurrency: "unbounded" } as const

type ShownOrder = typeof OrderObject.Encoded

interface Offers {
  readonly terms: ReadonlyArray<{ readonly type: string; readonly reasons: ReadonlyArray<{ readonly code: string }> }>
}

interface Act {
  readonly type: string
  readonly user_id: string | null
  readonly company_id: string | null
  readonly amount: number | null
  readonly installment: number | null
}

/** A buyer with money and credit, two sellers with a product each, and what looks for what is due. */
const fixture = Effect.gen(function* () {
  const market = yield* Market.make()
  const { server } = market
  const buyer = yield* market.trader(usd(5_000), usd(5_000))
  const [ada, bob] = [yield* market.trader(), yield* market.trader()]
  const [anvil, bolt] = [yield* market.offer(ada, 20, 10_000), yield* market.offer(bob, 1, 10_000)]
  const look = server.run(server.service(DueInstalments).look)
  const pass = (days: number) =>
    Effect.suspend(() => {
      server.world.pass(days * DAY)
      return look
    })
  const buy = (terms: PaymentTerms, by: Trader = buyer) => market.order(by, [[anvil.id, 1]], terms)
  const read = (id: string, by: Trader = buyer) =>
    Effect.map(server.get<ShownOrder>(`/v1/orders/${id}`, by.id), ({ json }) => json)
  const listed = (id: string, by: Trader = buyer) =>
    Effect.map(server.get<ReadonlyArray<ShownOrder>>("/v1/orders", by.id), ({ json }) =>
      json.find((order) => order.id === id)
    )
  const acts = (id: string, by: Trader = buyer) =>
    Effect.map(server.get<ReadonlyArray<Act>>(`/v1/orders/${id}/history`, by.id), ({ json }) => json)
  return { market, server, buyer, ada, bob, anvil, bolt, look, pass, buy, read, listed, acts }
})

const typesOf = (acts: ReadonlyArray<Act>) => acts.map(({ type }) => type)

/** The journal's tags of what is about a company's orders, oldest first. */
const recordedOf = (market: Market, companyId: string) =>
  Effect.map(
    market.sql<{ type: string }>(`
      SELECT type FROM events WHERE stream LIKE 'purchase/%' AND data LIKE '%"companyId":"${companyId}"%' ORDER BY seq`),
    (rows) => rows.map(({ type }) => type)
  )

describe("An instalment of an order on credit", () => {
  itEffect("is reminded of once, then found overdue once, and shown so until it is paid", () =>
    Effect.gen(function* () {
      const { acts, ada, anvil, bob, bolt, buyer, listed, look, market, pass, read } = yield* fixture
      const items = [
        [anvil.id, 1],
        [bolt.id, 10]
      ] as const
      const { json: order } = yield* market.order(buyer, items, { type: "installments", installments: 2 })
      expect(yield* pass(20)).toBe(0)
      expect(yield* pass(9)).toBe(1)
      expect(yield* look).toBe(0)
      expect(typesOf(yield* acts(order.id))).toEqual(["order.created", "order.payment_due"])
      expect(yield* read(order.id)).toMatchObject({ overdue: false })
      yield* pass(4)
      expect(yield* look).toBe(0)
      const history = yield* acts(order.id)
      expect(typesOf(history)).toEqual(["order.created", "order.payment_due", "order.overdue"])
      expect(history[2]).toMatchObject({ user_id: null, company_id: null, amount: 15, installment: 1 })
      for (const [by, amount] of [
        [buyer, 15],
        [ada, 10],
        [bob, 5]
      ] as const) {
        const shown = yield* read(order.id, by)
        const [first, second] = shown.payment_terms.schedule
        expect(shown.overdue).toBe(true)
        expect(first).toEqual({ ...first!, amount, overdue_since: first!.due_at })
        expect(second).toMatchObject({ overdue_since: null, paid: false })
        expect(yield* listed(order.id, by)).toMatchObject({ overdue: true, payment_terms: shown.payment_terms })
      }
      expect(typesOf(yield* acts(order.id, ada))).toEqual(["order.created", "order.overdue"])
      expect((yield* acts(order.id, bob))[1]).toMatchObject({ amount: 5, installment: 1 })
      yield* market.act(order, "pay", buyer, { instalments: "next" })
      for (const by of [buyer, ada, bob]) {
        const shown = yield* read(order.id, by)
        expect(shown.overdue).toBe(false)
        expect(shown.payment_terms.schedule.map(({ overdue_since, paid }) => [overdue_since, paid])).toEqual([
          [null, true],
          [null, false]
        ])
        expect(yield* listed(order.id, by)).toMatchObject({ overdue: false, payment_terms: shown.payment_terms })
      }
      yield* market.act(order, "pay", buyer)
      expect(yield* pass(90)).toBe(0)
      expect(yield* market.faults).toEqual([])
    })
  )

  itEffect(
    "is reminded of no more once it is paid or its order is cancelled, nor where it is found too late for that",
    () =>
      Effect.gen(function* () {
        const { acts, buy, buyer, market, pass } = yield* fixture
        const orders = yield* Effect.replicateEffect(
          Effect.map(buy(NET_30), ({ json }) => json),
          3
        )
        const [paid, cancelled, late] = orders
        yield* market.act(paid!, "pay", buyer)
        yield* market.act(cancelled!, "cancel", buyer)
        expect(yield* pass(200)).toBe(1)
        const told = yield* Effect.forEach(orders, ({ id }) => acts(id))
        expect(told.map(typesOf)).toEqual([
          ["order.created", "order.paid"],
          ["order.created", "order.cancelled"],
          ["order.created", "order.overdue"]
        ])
        yield* market.act(late!, "pay", buyer)
      })
  )
})

describe("A company that owes what is overdue", () => {
  itEffect("orders nothing on credit until it has paid, and is told so by its order, its terms and its profile", () =>
    Effect.gen(function* () {
      const { buy, buyer, market, pass, server } = yield* fixture
      yield* server.post("/v1/credit/request", REQUEST, { as: buyer.id })
      const frozen = Effect.map(
        server.get<{ readonly frozen: boolean }>(`/v1/credit/profile/${buyer.id}`, buyer.id),
        ({ json }) => json.frozen
      )
      const asked = { company_id: buyer.companyId, amount: 20, currency: "USD" }
      const reasons = Effect.map(
        server.post<Offers>("/v1/payments/terms", asked, { as: buyer.id }),
        ({ json }) => new Map(json.terms.map(({ reasons, type }) => [type, reasons.map(({ code }) => code).join()]))
      )
      const { json: first } = yield* buy(NET_30)
      const { json: second } = yield* buy(NET_30)
      expect([yield* frozen, (yield* reasons).get("net_30")]).toEqual([false, ""])
      yield* pass(31)
      expect(yield* frozen).toBe(true)
      expect(Object.fromEntries(yield* reasons)).toEqual({
        prepaid: "",
        net_30: "overdue",
        net_60: "overdue",
        installments: "overdue"
      })
      const refused = yield* buy(NET_30)
      expect([refused.status, refused.json.code]).toEqual([422, "credit_frozen"])
      expect(refused.json.message).toMatch(
        /^40 USD of pur_\w{24} and another order are overdue: pay them with POST \/v1\/orders\/\{id\}\/pay first, or order prepaid\.$/
      )
      expect((yield* buy({ type: "prepaid" })).status).toBe(200)
      yield* market.act(first, "pay", buyer)
      expect((yield* buy({ type: "installments", installments: 3 })).json.message).toStartWith(
        `20 USD of ${second.id} are overdue: `
      )
      yield* market.act(second, "cancel", buyer)
      expect([yield* frozen, (yield* reasons).get("net_60")]).toEqual([false, ""])
      expect((yield* buy(NET_30)).status).toBe(200)
    })
  )

  itEffect("is frozen for whichever company its user orders, as is the one that buys", () =>
    Effect.gen(function* () {
      const { buy, buyer, market, pass, server } = yield* fixture
      const shell = Effect.gen(function* () {
        const made = yield* server.post<{ readonly id: string }>("/v1/companies", { name: "Shell" }, { as: buyer.id })
        return { id: buyer.id, companyId: made.json.id }
      })
      const [one, other] = [yield* shell, yield* shell]
      const codes: Effect.Effect<ReadonlyArray<unknown>> = Effect.forEach([buyer, one, other], (by) =>
        Effect.map(buy(NET_30, by), ({ json, status }) => json.code ?? status)
      )
      const reasons = (company_id: string) =>
        Effect.map(
          server.post<Offers>("/v1/payments/terms", { company_id, amount: 20, currency: "USD" }, { as: buyer.id }),
          ({ json }) => json.terms[1]?.reasons.some(({ code }) => code === "overdue")
        )
      const frozen = ["credit_frozen", "credit_frozen", "credit_frozen"]
      for (const owing of [buyer, one]) {
        const { json: order } = yield* buy(NET_30, owing)
        yield* pass(31)
        expect(yield* codes).toEqual(frozen)
        expect(yield* Effect.forEach([buyer, one, other], ({ companyId }) => reasons(companyId))).toEqual([
          true,
          true,
          true
        ])
        yield* market.act(order, "pay", buyer)
        expect(yield* Effect.forEach([buyer, one, other], ({ companyId }) => reasons(companyId))).toEqual([
          false,
          false,
          false
        ])
      }
      expect(yield* codes).toEqual([200, 200, 200])
      expect(yield* market.faults).toEqual([])
    })
  )

  itEffect("has placed nothing on credit behind what was found overdue, however the two race", () =>
    Effect.gen(function* () {
      const { anvil, buy, buyer, look, market, server } = yield* fixture
      yield* buy(NET_30)
      server.world.pass(31 * DAY)
      const orders = Effect.all(
        Array.from({ length: 24 }, () => buy(NET_30)),
        all
      )
      const [placed] = yield* Effect.all([orders, look], all)
      const statuses = placed.map(({ status }) => status)
      expect(statuses.every((status) => status === 200 || status === 422)).toBe(true)
      const recorded = yield* recordedOf(market, buyer.companyId)
      expect(recorded.indexOf("PurchaseOrderOverdue")).toBe(recorded.length - 1)

      // The date passes, and is found to have, when an order is decided and not written yet.
      const other = yield* market.trader(usd(100), usd(5_000))
      yield* buy(NET_30, other)
      server.world.pass(31 * DAY)
      let looks = 0
      const found = Effect.suspend(() => (looks++ === 0 ? look : Effect.void))
      const journal = server.service(UnitOfWork)
      const late = UnitOfWork.of({ ...journal, append: (batch) => Effect.andThen(found, journal.append(batch)) })
      const order = { companyId: other.companyId, items: [{ productId: anvil.id, quantity: 1 }], paymentTerms: NET_30 }
      const by = { userId: other.id, companyId: other.companyId }
      const outcome = yield* server.run(
        Effect.flatMap(makePlacing, ({ place }) => place(by, order, undefined)).pipe(
          Effect.provideService(UnitOfWork, late),
          Effect.provide(PurchaseOrderRepository.layer),
          Effect.result
        )
      )
      expect(Result.isFailure(outcome) && outcome.failure._tag).toBe("CreditFrozen")
      expect(yield* recordedOf(market, other.companyId)).toEqual(["PurchaseOrderPlaced", "PurchaseOrderOverdue"])
    })
  )
})

describe("DueInstalments", () => {
  itEffect("find what is due once, however many look at once, and after a restart", () =>
    Effect.gen(function* () {
      const { acts, buy, server } = yield* fixture
      const placed = yield* Effect.replicateEffect(
        Effect.map(buy(NET_30), ({ json }) => json.id),
        5
      )
      for (const days of [28, 3]) {
        server.world.pass(days * DAY)
        yield* server.restart()
        const again = server.run(Effect.suspend(() => server.service(DueInstalments).look))
        yield* Effect.all([again, again, again, again], all)
        expect(yield* again).toBe(0)
      }
      expect(yield* server.run(Effect.suspend(() => server.service(DueInstalments).look))).toBe(0)
      const told = yield* Effect.forEach(placed, (id) => acts(id))
      for (const one of told) expect(typesOf(one)).toEqual(["order.created", "order.payment_due", "order.overdue"])
    })
  )

  itEffect("go on in rounds, of one company too", () =>
    Effect.gen(function* () {
      const { buy, look, server } = yield* fixture
      yield* Effect.all(
        Array.from({ length: ROUND + 3 }, () => buy(NET_30)),
        { concurrency: 8 }
      )
      server.world.pass(31 * DAY)
      expect([yield* look, yield* look]).toEqual([ROUND + 3, 0])
    })
  )

  itEffect("go on behind what stumbles, and take a name of a company that is not the next for none", () =>
    Effect.gen(function* () {
      const { acts, buy, buyer, look, market, server } = yield* fixture
      const other = yield* market.trader(usd(100), usd(100))
      const [{ json: first }, { json: second }] = [yield* buy(NET_30), yield* buy(NET_30, other)]
      // No event is left of the first, so that nothing can be decided of it.
      yield* market.sql(`UPDATE events SET type = 'Gone', data = '{}' WHERE stream = 'purchase/${first.id}'`)
      server.world.pass(31 * DAY)
      expect(yield* look).toBe(1)
      expect(typesOf(yield* acts(second.id, other))).toEqual(["order.created", "order.overdue"])
      expect((yield* market.order(buyer, [[(yield* market.offer(other, 1, 5)).id, 1]], NET_30)).status).toBe(200)
    })
  )

  itEffect("number what they find by the names that are taken, whatever becomes of rows", () =>
    Effect.gen(function* () {
      const { buy, buyer, look, market, server } = yield* fixture
      const { json: order } = yield* buy(NET_30)
      server.world.pass(31 * DAY)
      yield* look
      yield* market.act(order, "pay", buyer)
      yield* market.sql("UPDATE purchase_orders SET overdue = NULL, reminded = NULL")
      expect((yield* buy(NET_30)).status).toBe(200)
      server.world.pass(31 * DAY)
      expect(yield* look).toBe(1)
      expect((yield* buy(NET_30)).json.code).toBe("credit_frozen")
    })
  )

  itEffect("are found by indexes, which leave an order's updates in their pages", () =>
    Effect.gen(function* () {
      const { buy, buyer, market, pass, server } = yield* fixture
      yield* buy(NET_30)
      yield* pass(31)
      const plan = (statement: (sql: SqlClient) => Statement<object>) =>
        server.run(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const explained = Effect.andThen(sql`SET LOCAL enable_seqscan = off`, sql`EXPLAIN ${statement(sql)}`)
            return JSON.stringify(yield* sql.withTransaction(explained))
          })
        )
      expect(yield* plan((sql) => dueOrders(sql, server.world.now, ROUND, undefined))).toContain("purchase_orders_due")
      const arrears = yield* plan((sql) => arrearsRows(sql, buyer.companyId))
      for (const name of ["purchase_orders_owing", "purchase_orders_owing_user", "claims_overdue"]) {
        expect(arrears).toContain(name)
      }
      const named = yield* market.sql<{ readonly text: string }>(`
        SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = 'purchase_orders'::regclass`)
      for (const column of ["status", "payment_status", "paid", "due_payments", "updated_at", "received"]) {
        expect(named.filter(({ text }) => new RegExp(`\\b${column}\\b`).test(text))).toEqual([])
      }
    })
  )

  itEffect("are asked for exactly what the rule would find, of orders of any terms that are paid at any time", () =>
    Effect.gen(function* () {
      const { buy, look, market, server } = yield* fixture
      const { due, events } = yield* server.run(Effect.provide(PurchaseOrderRepository, PurchaseOrderRepository.layer))
      const terms = fc.oneof(
        fc.constantFrom<PaymentTerms>({ type: "prepaid" }, NET_30, { type: "net_60" }),
        fc.record({ type: fc.constant("installments" as const), installments: fc.integer({ min: 2, max: 5 }) })
      )
      const turn = fc.record({
        placed: fc.array(terms, { maxLength: 2 }),
        days: fc.constantFrom(1, 9, 27, 29, 31, 62),
        paid: fc.array(fc.tuple(fc.nat(50), fc.constantFrom("next", "all", "cancel")), { maxLength: 4 }),
        looks: fc.boolean()
      })
      const orders: Array<string> = []
      const buyers: Array<Trader> = []
      for (const { days, looks, paid, placed } of fc.sample(turn, Math.ceil(runs() / 4))) {
        for (const one of placed) {
          // What is overdue of one company keeps it from ordering more.
          const buyer = yield* market.trader(usd(20), usd(20))
          const { json, status } = yield* buy(one, buyer)
          expect(status).toBe(200)
          orders.push(json.id)
          buyers.push(buyer)
        }
        server.world.pass(days * DAY)
        for (const [number, how] of paid) {
          const [id, buyer] = [orders[number % orders.length], buyers[number % orders.length]]
          if (id === undefined || buyer === undefined) continue
          if (how === "cancel") yield* market.act({ id }, "cancel", buyer)
          else yield* market.act({ id }, "pay", buyer, { instalments: how })
        }
        const now = server.world.now
        const asked = yield* server.run(due(now, 10_000))
        const histories = yield* Effect.forEach(orders, (id) => server.run(events(id)))
        const found = histories.flatMap((history, index) => {
          const state = recordOf(history)?.state
          return state !== undefined && dueStep(state, now) !== undefined ? [orders[index]!] : []
        })
        expect(asked.map(({ orderId }) => orderId).toSorted()).toEqual(found.toSorted())
        if (looks) yield* look
      }
      expect(orders.length).toBeGreaterThan(3)
      expect(yield* market.faults).toEqual([])
    })
  )
})
