import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Owners } from "../../../src/identity/users/Owners.ts"
import { MAX_OPEN } from "../../../engine/payments/PaymentRequests.ts"
import { PRICE, tellingPayments, TOTAL } from "../../lib/PaymentFixture.ts"

const { changeOf, fixture, tests } = tellingPayments()

const APPROVE = "4242 4242 4242 4242"

describe("paying an order", () => {
  tests("by wallet moves the buyer's money to the sellers", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const change = yield* changeOf(
        Effect.gen(function* () {
          const { json, status } = yield* fixture().pay(order.id, { provider: "wallet" })
          expect([status, json]).toMatchObject([
            200,
            { status: "captured", amount: TOTAL, captured: TOTAL, applied: TOTAL, refunded: 0, instrument: null }
          ])
          expect(yield* fixture().kept(json.id)).toBe(0n)
        })
      )
      expect(change).toEqual([-6_002, 3_001, 3_001])
    })
  )

  tests("by card moves money from outside to the sellers", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const change = yield* changeOf(
        Effect.gen(function* () {
          const { json } = yield* fixture().card(order.id, APPROVE)
          expect(json).toMatchObject({ status: "captured", applied: TOTAL, instrument: "approve" })
          expect(yield* fixture().issued(json.id)).toEqual({ authorize: [6_002], capture: [6_002] })
          expect((yield* fixture().market.act(order, "pay", fixture().buyer)).status).toBe(409)
          expect((yield* fixture().card(order.id, APPROVE)).json).toMatchObject({ code: "conflict" })
        })
      )
      expect(change).toEqual([0, 3_001, 3_001])
    })
  )

  tests("in instalments takes the next one, or all that is left", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order({ type: "installments", installments: 3 })
      const first = yield* fixture().card(order.id, APPROVE, { extent: "next" })
      expect(first.json).toMatchObject({ status: "captured", amount: 20.02 })
      expect((yield* fixture().pay(order.id, { provider: "wallet" })).json).toMatchObject({ amount: 40 })
    })
  )

  tests("at once from the wallet has a payment too", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().market.act(order, "pay", fixture().buyer)
      const paymentId = json.payments[0]?.id ?? ""
      expect((yield* fixture().get(paymentId)).json).toMatchObject({
        provider: "wallet",
        status: "captured",
        extent: null,
        applied: TOTAL
      })
      yield* fixture().market.act(order, "cancel", fixture().buyer)
      expect((yield* fixture().get(paymentId)).json).toMatchObject({ status: "refunded", applied: 0, refunded: TOTAL })
    })
  )

  tests("keeps metadata, by which its buyer's list is filtered, and which sellers do not see", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { server } = fixture().market
      const { json } = yield* fixture().pay(order.id, { provider: "wallet", metadata: { invoice: "7", none: "" } })
      yield* fixture().card((yield* fixture().order()).id, APPROVE)
      expect(json).toMatchObject({ metadata: { invoice: "7" } })
      expect((yield* fixture().get(json.id)).json).toMatchObject({ metadata: { invoice: "7" } })
      expect((yield* fixture().get(json.id, fixture().ada)).json).toMatchObject({ metadata: {} })
      const listed = (query: string, { id }: { readonly id: string }) =>
        Effect.map(server.get<ReadonlyArray<{ readonly id: string }>>(`/v1/payments?${query}`, id), (list) =>
          list.json.map((one) => one.id)
        )
      const ofOrder = `order_id=${order.id}&metadata=invoice:7`
      expect(yield* listed("metadata=invoice:7", fixture().buyer)).toEqual([json.id])
      expect(yield* listed("metadata=invoice:8", fixture().buyer)).toEqual([])
      expect(yield* listed(ofOrder, fixture().buyer)).toEqual([json.id])
      expect(yield* listed(ofOrder, fixture().ada)).toEqual([])
    })
  )

  tests("for a managed company keeps metadata as the company's, by which its lists are filtered", () =>
    Effect.gen(function* () {
      const { buyer, market, products } = fixture()
      const { server } = market
      const { json: managed } = yield* server.post<{ readonly id: string }>(
        "/v1/companies",
        { name: "Managed", country: "BE" },
        { as: buyer.id }
      )
      const { json: order } = yield* market.order({ ...buyer, companyId: managed.id }, [[products[0].id, 1]])
      const { json } = yield* fixture().pay(order.id, { provider: "wallet", metadata: { invoice: "managed" } })
      expect(json).toMatchObject({ status: "captured", metadata: { invoice: "managed" } })
      const sql = server.service(SqlClient)
      const [row] = yield* server.run(
        Effect.orDie(sql<{ readonly metadata: string }>`SELECT metadata FROM payments WHERE id = ${json.id}`)
      )
      expect(row?.metadata).toContain(`sealed:v1:${managed.id}:`)
      expect(row?.metadata).not.toContain(buyer.companyId)
      const admin = yield* server.admin
      for (const as of [buyer.id, admin]) {
        const query = `order_id=${order.id}&metadata=invoice:managed`
        const { json: found } = yield* server.get<ReadonlyArray<{ readonly id: string }>>(`/v1/payments?${query}`, as)
        expect(found.map(({ id }) => id)).toEqual([json.id])
      }
    })
  )

  tests("is for its buyer alone", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const stranger = yield* fixture().market.trader()
      expect((yield* fixture().pay(order.id, { provider: "wallet" }, stranger)).status).toBe(404)
      expect((yield* fixture().pay(order.id, { provider: "wallet" }, fixture().ada)).status).toBe(403)
      const { json } = yield* fixture().pay(order.id, { provider: "wallet", capture: "manual" })
      expect((yield* fixture().get(json.id, stranger)).status).toBe(404)
      expect((yield* fixture().get(json.id, fixture().ada)).status).toBe(404)
      expect((yield* fixture().act(json.id, "capture", stranger)).status).toBe(404)
      expect((yield* fixture().act(json.id, "capture", fixture().ada)).status).toBe(403)
      expect((yield* fixture().refund(json.id, 1, stranger)).status).toBe(404)
      expect((yield* fixture().refund(json.id, 1, fixture().buyer)).status).toBe(403)
      const listed = yield* fixture().market.server.get<ReadonlyArray<unknown>>(
        `/v1/payments?order_id=${order.id}`,
        fixture().ada.id
      )
      expect(listed.json).toHaveLength(0)
      const foreign = yield* fixture().market.server.get<ReadonlyArray<unknown>>(
        `/v1/payments?order_id=${order.id}`,
        stranger.id
      )
      expect(foreign.json).toHaveLength(0)
    })
  )

  tests("needs a verified account, and leaves the order as it was", () =>
    Effect.gen(function* () {
      const { server } = fixture().market
      const person = { email: "payer@example.com", password: "correct horse battery staple", company_name: "Payer" }
      const { json: user } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", person)
      const { companyId } = yield* Effect.orDie(server.service(Owners).ownerOf(user.id))
      const payer = { id: user.id, companyId }
      const { json: order } = yield* fixture().market.order(payer, [[fixture().products[0].id, 1]])
      const paid = yield* fixture().pay(order.id, { provider: "sandbox-card", instrument: APPROVE }, payer)
      expect([paid.status, paid.json.code]).toEqual([403, "access_denied"])
    })
  )

  tests("has at most so many payments under way at a time", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const how = { capture: "manual" }
      for (let count = 0; count < MAX_OPEN - 2; count++) {
        expect((yield* fixture().card(order.id, APPROVE, how)).json.status).toBe("authorized")
      }
      const rivals = yield* Effect.all(
        Array.from({ length: 8 }, () => fixture().card(order.id, APPROVE, how)),
        { concurrency: "unbounded" }
      )
      expect(rivals.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409, 409, 409])
      expect((yield* fixture().card(order.id, APPROVE, how)).json.code).toBe("conflict")
      yield* fixture().market.act(order, "cancel", fixture().buyer)
      yield* fixture().work()
    })
  )

  tests("takes no instrument but its provider's, and repeats none", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      for (const instrument of ["4111111111111111", "5555 5555 5555 4444", "pm_card", "1234"]) {
        const { json, status } = yield* fixture().card(order.id, instrument)
        expect(status).toBe(400)
        expect(json.message).not.toContain(instrument)
      }
      expect((yield* fixture().pay(order.id, { provider: "wallet", instrument: APPROVE })).status).toBe(400)
      expect((yield* fixture().pay(order.id, { provider: "stripe", instrument: "pm_card_visa" })).status).toBe(422)
    })
  )
})

describe("manual capture", () => {
  tests("takes an authorized payment, once", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().card(order.id, APPROVE, { capture: "manual" })
      expect(json).toMatchObject({ status: "authorized", captured: 0 })
      const change = yield* changeOf(
        Effect.gen(function* () {
          const answers = yield* Effect.all(
            Array.from({ length: 10 }, () => fixture().act(json.id, "capture")),
            { concurrency: "unbounded" }
          )
          expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
          expect((yield* fixture().act(json.id, "capture")).status).toBe(409)
        })
      )
      expect(change).toEqual([0, 3_001, 3_001])
      expect((yield* fixture().issued(json.id))["capture"]).toEqual([6_002])
    })
  )

  tests("or lets it go, and a wallet has its money again", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      for (const how of [{ provider: "wallet" }, { provider: "sandbox-card", instrument: APPROVE }]) {
        const { json } = yield* fixture().pay(order.id, { ...how, capture: "manual" })
        expect((yield* fixture().act(json.id, "void")).json.status).toBe("voided")
        expect((yield* fixture().act(json.id, "void")).status).toBe(409)
        expect((yield* fixture().act(json.id, "capture")).status).toBe(409)
      }
    })
  )

  tests("lets go by itself what the order needs no more", () =>
    Effect.gen(function* () {
      for (const act of ["pay", "cancel"] as const) {
        const order = yield* fixture().order()
        const { json } = yield* fixture().card(order.id, APPROVE, { capture: "manual" })
        yield* fixture().market.act(order, act, fixture().buyer)
        yield* fixture().work()
        expect((yield* fixture().get(json.id)).json.status).toBe("voided")
      }
    })
  )
})

describe("refunds", () => {
  const fulfilled = (instrument = APPROVE) =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().card(order.id, instrument)
      yield* fixture().market.act(order, "fulfil", fixture().ada)
      return json.id
    })

  tests("come from the seller's wallet, in parts, never more than it was paid", () =>
    Effect.gen(function* () {
      const id = yield* fulfilled()
      const change = yield* changeOf(
        Effect.gen(function* () {
          expect((yield* fixture().refund(id, 10, fixture().ada)).json).toMatchObject({
            status: "partially_refunded",
            amount: PRICE,
            instrument: null,
            refunded: 10
          })
          expect((yield* fixture().refund(id, PRICE, fixture().ada)).json.code).toBe("unprocessable")
          expect((yield* fixture().refund(id, undefined, fixture().ada)).json).toMatchObject({ refunded: PRICE })
          const again = yield* fixture().refund(id, undefined, fixture().ada)
          const message = "Everything that was paid has been given back: nothing is left of it."
          expect([again.status, again.json]).toMatchObject([422, { message, code: "unprocessable" }])
          expect((yield* fixture().refund(id, 0.005, fixture().bob)).status).toBe(422)
        })
      )
      expect(change).toEqual([0, -3_001, 0])
      expect((yield* fixture().issued(id))["refund"]?.toSorted()).toEqual([1_000, 2_001])
      expect((yield* fixture().refund(id, undefined, fixture().bob)).json).toMatchObject({ status: "refunded" })
    })
  )

  tests("are of more than 0", () =>
    Effect.gen(function* () {
      const id = yield* fulfilled()
      for (const [amount, expected] of [
        [0, "more than 0"],
        [0.000_000_4, "more than 0"],
        [-1, "a non-negative decimal number"]
      ] as const) {
        const { json, status } = yield* fixture().refund(id, amount, fixture().ada)
        const message = expect.stringContaining(`payload.amount: Expected ${expected}`)
        expect([amount, status, json]).toMatchObject([amount, 400, { message, code: "invalid_request" }])
      }
      expect((yield* fixture().get(id)).json).toMatchObject({ refunded: 0 })
    })
  )

  tests("are shown to the seller that gave them and to the buyer", () =>
    Effect.gen(function* () {
      const id = yield* fulfilled()
      const before = (yield* fixture().get(id, fixture().bob)).json
      expect(before).toMatchObject({ amount: PRICE, captured: PRICE, applied: PRICE, refunds: [], instrument: null })
      yield* fixture().refund(id, 10, fixture().ada)
      expect((yield* fixture().get(id, fixture().bob)).json).toEqual(before)
      const toAda = (yield* fixture().get(id, fixture().ada)).json
      expect(toAda).toMatchObject({ amount: PRICE, refunded: 10, refunds: [{ amount: 10, reason: "seller" }] })
      expect((yield* fixture().get(id)).json).toMatchObject({ amount: TOTAL, instrument: "approve", refunded: 10 })
      const listed = yield* fixture().market.server.get<ReadonlyArray<unknown>>(
        `/v1/payments?order_id=${toAda.order_id}`,
        fixture().ada.id
      )
      expect([listed.headers.get("x-total-count"), listed.json]).toEqual(["1", [toAda]])
    })
  )

  tests("before anything is fulfilled are the order's cancellation", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().card(order.id, APPROVE)
      expect((yield* fixture().refund(json.id, 1, fixture().ada)).json.code).toBe("conflict")
      yield* fixture().market.act(order, "cancel", fixture().buyer)
      yield* fixture().work()
      expect((yield* fixture().get(json.id)).json).toMatchObject({ status: "refunded", refunded: TOTAL })
      expect((yield* fixture().issued(json.id))["refund"]).toEqual([6_002])
    })
  )

  tests("of a wallet's payment go to that wallet", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      yield* fixture().market.act(order, "pay", fixture().buyer)
      yield* fixture().market.act(order, "fulfil", fixture().bob)
      const { json } = yield* fixture().market.server.get<ReadonlyArray<{ readonly id: string }>>(
        `/v1/payments?order_id=${order.id}`,
        fixture().bob.id
      )
      const change = yield* changeOf(fixture().refund(json[0]?.id ?? "", 1.5, fixture().bob))
      expect(change).toEqual([150, 0, -150])
    })
  )

  tests("asked 50 times at once give back what there is, once", () =>
    Effect.gen(function* () {
      const id = yield* fulfilled()
      const change = yield* changeOf(
        Effect.all(
          Array.from({ length: 50 }, () => fixture().refund(id, 10, fixture().ada)),
          { concurrency: "unbounded" }
        )
      )
      expect(change).toEqual([0, -3_000, 0])
      expect((yield* fixture().issued(id))["refund"]).toEqual([1_000, 1_000, 1_000])
    })
  )

  tests("need the wallet that was paid to have the money", () =>
    Effect.gen(function* () {
      const id = yield* fulfilled()
      const cents = yield* fixture().cents(fixture().ada)
      yield* fixture().market.server.post("/v1/withdraw", { quantity: `${cents / 100 - 1}` }, { as: fixture().ada.id })
      const left = yield* fixture().cents(fixture().ada)
      expect(left).toBe(100)
      const { json } = yield* fixture().refund(id, 2, fixture().ada)
      expect(json).toMatchObject({ code: "unprocessable" })
      expect(json.message).toContain("has 1 USD")
      expect((yield* fixture().refund(id, 1, fixture().ada)).status).toBe(200)
    })
  )

  tests("go to no other instrument", () =>
    Effect.gen(function* () {
      const id = yield* fulfilled()
      const body = { amount: 5, instrument: "4000000000000259", provider: "wallet", to: fixture().ada.id }
      const change = yield* changeOf(
        fixture().market.server.post(`/v1/payments/${id}/refund`, body, { as: fixture().ada.id })
      )
      expect(change).toEqual([0, -500, 0])
      expect((yield* fixture().issued(id))["refund"]).toEqual([500])
    })
  )
})

describe("a request under a key", () => {
  tests("makes one payment, one capture and one refund", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const how = { provider: "sandbox-card", instrument: APPROVE, capture: "manual" }
      const made = yield* fixture().pay(order.id, how, fixture().buyer, "payment-key-1")
      const again = yield* fixture().pay(order.id, how, fixture().buyer, "payment-key-1")
      expect(again.json).toEqual(made.json)
      const taken = yield* fixture().act(made.json.id, "capture", fixture().buyer, "capture-key-1")
      expect((yield* fixture().act(made.json.id, "capture", fixture().buyer, "capture-key-1")).json).toEqual(taken.json)
      yield* fixture().market.act(order, "fulfil", fixture().ada)
      const back = yield* fixture().refund(made.json.id, 1, fixture().ada, "refund-key-1")
      expect((yield* fixture().refund(made.json.id, 1, fixture().ada, "refund-key-1")).json).toEqual(back.json)
      yield* fixture().market.sql("DELETE FROM idempotency_keys")
      expect((yield* fixture().pay(order.id, how, fixture().buyer, "payment-key-1")).json.id).toBe(made.json.id)
      expect((yield* fixture().refund(made.json.id, 1, fixture().ada, "refund-key-1")).json.refunded).toBe(1)
      yield* fixture().market.sql("DELETE FROM idempotency_keys")
      const other = { ...how, capture: "automatic" }
      expect((yield* fixture().pay(order.id, other, fixture().buyer, "payment-key-1")).status).toBe(409)
    })
  )
})

describe("after all of that", () => {
  tests("the ledger adds up, and every row follows from its events", () =>
    Effect.gen(function* () {
      expect(yield* fixture().market.faults).toEqual([])
    })
  )
})
