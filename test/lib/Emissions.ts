import { Effect } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { DueInstalments } from "../../src/commerce/DueInstalments.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { REQUEST } from "./CreditArbitraries.ts"
import type { EmissionFixture } from "./EmissionFixture.ts"

/** What the platform does of itself. */
export const ITSELF = "the platform"

/** One way to come to events: what has to be there before, and then the act alone. */
interface Drive {
  /** Its method and path, or {@link ITSELF}. */
  readonly by: string
  readonly prepare: (fixture: EmissionFixture) => Effect.Effect<() => Effect.Effect<unknown>>
}

const drive = (by: string, prepare: Drive["prepare"]): Drive => ({ by, prepare })

/** Where nothing has to be there before. */
const at = (by: string, act: (fixture: EmissionFixture) => Effect.Effect<unknown>): Drive =>
  drive(by, (fixture) => Effect.succeed(() => act(fixture)))

const PARTS = { type: "installments", installments: 2 }
const CARD = "4242424242424242"

/** An order of somebody who does not pay it, and a look at what is due some days later. */
const dueAfter = (days: number) =>
  drive(ITSELF, (fixture) =>
    Effect.gen(function* () {
      const { market, products } = fixture.payments
      const buyer = yield* market.trader(undefined, fromUnits(1_000n * ONE))
      yield* fixture.hook(buyer.id)
      const items = products.map(({ id }) => [id, 1] as const)
      yield* market.order(buyer, items, { type: "net_30" })
      return () => {
        fixture.server.world.pass(days * 86_400_000)
        return fixture.server.run(fixture.server.service(DueInstalments).look)
      }
    })
  )

const ORDER_ACTS: ReadonlyArray<Drive> = [
  at("POST /v1/orders", ({ payments }) => payments.order()),
  drive("POST /v1/orders/{id}/pay", ({ payments }) =>
    Effect.map(payments.order(), (order) => () => payments.market.act(order, "pay", payments.buyer))
  ),
  drive("POST /v1/orders/{id}/pay", ({ payments }) =>
    Effect.map(
      payments.order(PARTS),
      (order) => () => payments.market.act(order, "pay", payments.buyer, { instalments: "next" })
    )
  ),
  drive("POST /v1/orders/{id}/fulfil", ({ payments }) =>
    Effect.gen(function* () {
      const order = yield* payments.order()
      yield* payments.market.act(order, "pay", payments.buyer)
      const { ada, bob, market } = payments
      return () => Effect.andThen(market.act(order, "fulfil", ada), market.act(order, "fulfil", bob))
    })
  ),
  drive("POST /v1/orders/{id}/cancel", ({ payments }) =>
    Effect.gen(function* () {
      const order = yield* payments.order(PARTS)
      const next = { instalments: "next" }
      yield* payments.market.act(order, "pay", payments.buyer, next)
      yield* payments.market.act(order, "pay", payments.buyer, next)
      return () => payments.market.act(order, "cancel", payments.buyer)
    })
  ),
  drive("POST /v1/orders/{id}/cancel", ({ payments }) =>
    Effect.gen(function* () {
      const order = yield* payments.order()
      yield* payments.card(order.id, CARD)
      return () => Effect.andThen(payments.market.act(order, "cancel", payments.buyer), payments.work())
    })
  ),
  dueAfter(28),
  dueAfter(31)
]

/** What a card did to an order, with manual capture: the payment's capture. */
const capturing = (instrument: string, terms?: unknown, extent: "all" | "next" = "all") =>
  drive("POST /v1/payments/{id}/capture", ({ payments }) =>
    Effect.gen(function* () {
      const order = yield* payments.order(terms)
      const { json } = yield* payments.card(order.id, instrument, { capture: "manual", extent })
      return () => payments.act(json.id, "capture")
    })
  )

const paying = (instrument: string, terms?: unknown, extent: "all" | "next" = "all") =>
  drive("POST /v1/payments", ({ payments }) =>
    Effect.map(payments.order(terms), (order) => () => payments.card(order.id, instrument, { extent }))
  )

const refunding = (payWith: "card" | "wallet") =>
  drive("POST /v1/payments/{id}/refund", ({ payments }) =>
    Effect.gen(function* () {
      const { ada, bob, buyer, market } = payments
      const order = yield* payments.order()
      yield* payWith === "card" ? payments.card(order.id, CARD) : market.act(order, "pay", buyer)
      yield* market.act(order, "fulfil", ada)
      const { json } = yield* market.act(order, "fulfil", bob)
      return () => payments.refund(json.payments[0]?.id ?? "", 5, ada)
    })
  )

const PAYMENT_ACTS: ReadonlyArray<Drive> = [
  paying(CARD),
  paying(CARD, PARTS, "next"),
  paying("4000000000000002"),
  capturing(CARD),
  capturing(CARD, PARTS, "next"),
  capturing("4000000000000341"),
  refunding("card"),
  refunding("wallet")
]

const managed = ({ payments, server }: EmissionFixture) =>
  Effect.map(
    server.post<{ readonly id: string }>("/v1/companies", { name: "Customer" }, { as: payments.buyer.id }),
    ({ json }) => json.id
  )

const ACCOUNT = {
  accountName: "Account",
  firstname: "New",
  lastname: "Comer",
  address: "1 High Street",
  city: "Ghent",
  country: "BE"
}

const COMPANY_ACTS: ReadonlyArray<Drive> = [
  at("POST /v1/companies", managed),
  at("POST /api/v1/auth/register", ({ newcomer, server }) =>
    server.post("/api/v1/auth/register", { ...newcomer, company_name: "Newcomer" })
  ),
  at("POST /v1/account", ({ newcomer, server }) => server.post("/v1/account", { ...newcomer, ...ACCOUNT })),
  at("POST /api/v1/auth/google/callback", ({ google }) => google),
  at("POST /api/v1/auth/ecommerce/callback", ({ shop }) => shop),
  drive("PATCH /v1/companies/{id}", (fixture) =>
    Effect.map(
      managed(fixture),
      (id) => () =>
        fixture.server.request("PATCH", `/v1/companies/${id}`, { name: "Renamed" }, { as: fixture.payments.buyer.id })
    )
  ),
  drive("PUT /v1/companies/{id}/plan", (fixture) =>
    Effect.gen(function* () {
      const [id, admin] = [yield* managed(fixture), yield* fixture.server.admin]
      return () => fixture.put(`/v1/companies/${id}/plan`, admin, { plan: "pro" })
    })
  ),
  drive("PUT /v1/companies/{id}/verify", (fixture) =>
    Effect.gen(function* () {
      const [id, admin] = [yield* managed(fixture), yield* fixture.server.admin]
      return () => fixture.put(`/v1/companies/${id}/verify`, admin)
    })
  ),
  drive("PUT /v1/users/verify/{userId}", (fixture) =>
    Effect.gen(function* () {
      const [{ id }, admin] = [yield* fixture.applicant, yield* fixture.server.admin]
      return () => fixture.put(`/v1/users/verify/${id}`, admin)
    })
  ),
  drive("PUT /v1/kyc/{id}/verify", (fixture) =>
    Effect.gen(function* () {
      const [{ kycId }, admin] = [yield* fixture.applicant, yield* fixture.server.admin]
      return () => fixture.put(`/v1/kyc/${kycId}/verify`, admin)
    })
  )
]

/** A subscription, and what is done with it. */
const subscribed = (by: string, act: (fixture: EmissionFixture, id: string) => Effect.Effect<unknown>) =>
  drive(by, (fixture) =>
    Effect.map(
      fixture.goods.subscribe(),
      ({ json }) =>
        () =>
          act(fixture, json.id)
    )
  )

const SUBSCRIPTION_ACTS: ReadonlyArray<Drive> = [
  at("POST /v1/subscriptions", ({ goods }) => goods.subscribe()),
  subscribed("POST /v1/subscriptions/{id}/renew", ({ goods }, id) => goods.renew(id)),
  subscribed("POST /v1/subscriptions/{id}/cancel", ({ goods }, id) => goods.cancel(id)),
  subscribed(ITSELF, ({ goods }) => goods.pass(7)),
  subscribed(ITSELF, ({ goods }, id) => Effect.andThen(goods.cancel(id, true), goods.pass(7))),
  drive(ITSELF, ({ goods }) => Effect.as(Effect.andThen(goods.subscribe(), goods.restock(0)), () => goods.pass(7)))
]

const OTHER_ACTS: ReadonlyArray<Drive> = [
  at("POST /v1/credit/request", ({ payments, server }) =>
    server.post("/v1/credit/request", REQUEST, { as: payments.ada.id })
  ),
  drive("PATCH /v1/webhooks/{id}", (fixture) =>
    Effect.map(
      fixture.hook(fixture.payments.buyer.id),
      (id) => () =>
        fixture.server.request("PATCH", `/v1/webhooks/${id}`, { status: "disabled" }, { as: fixture.payments.buyer.id })
    )
  ),
  drive(ITSELF, (fixture) =>
    Effect.map(
      fixture.hook(fixture.payments.buyer.id),
      (id) => () => fixture.server.run(fixture.server.service(Endpoints).disableFailing(id, fixture.server.world.now))
    )
  )
]

/** Each way to come to each event, but for the test of an endpoint. */
export const DRIVES: ReadonlyArray<Drive> = [
  ...ORDER_ACTS,
  ...PAYMENT_ACTS,
  ...COMPANY_ACTS,
  ...SUBSCRIPTION_ACTS,
  ...OTHER_ACTS
]
