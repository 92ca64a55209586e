import { Effect } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { Owners } from "../../../src/identity/users/Owners.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"
import { submitKyc } from "./KycRows.ts"

interface Made {
  readonly id: string
}

const CARD = { provider: "sandbox-card", instrument: "4242424242424242" }

/** Lets somebody pay. */
const verified = (fixture: Fixture, userId: string) =>
  Effect.andThen(
    submitKyc(fixture, userId),
    fixture.server.request("PUT", `/v1/users/verify/${userId}`, undefined, { as: fixture.admin })
  )

/** An order of one party at another one. */
const ordered = ({ server }: Fixture, buyer: string, seller: string, turn: number) =>
  Effect.gen(function* () {
    const product = { name: `Nut ${turn}`, price: 0.25, description: "M8", quantity: "1000" }
    const { json } = yield* server.post<Made>("/v1/commerce/products", product, { as: seller })
    const { companyId } = yield* Effect.orDie(server.service(Owners).ownerOf(buyer))
    const order = {
      company_id: companyId,
      items: [{ product_id: json.id, quantity: 4 }],
      payment_terms: { type: "prepaid" }
    }
    return (yield* server.post<Made>("/v1/orders", order, { as: buyer })).json.id
  })

const bought = (fixture: Fixture, turn: number) =>
  Effect.andThen(verified(fixture, fixture.mine.userId), ordered(fixture, fixture.mine.userId, fixture.admin, turn))

/** A payment that waits for its capture. */
const authorized = (fixture: Fixture, turn: number) =>
  Effect.gen(function* () {
    const body = { order_id: yield* bought(fixture, turn), ...CARD, capture: "manual" }
    const { json } = yield* fixture.server.post<Made>("/v1/payments", body, { as: fixture.mine.userId })
    return { params: { id: json.id } }
  })

/** A payment to `fixture.mine`, which has delivered. */
const earned = (fixture: Fixture, turn: number) =>
  Effect.gen(function* () {
    const { admin, mine, server } = fixture
    yield* verified(fixture, mine.userId)
    yield* server.mint(admin, fromUnits(10n * ONE))
    const orderId = yield* ordered(fixture, admin, mine.userId, turn)
    const { json } = yield* server.post<Made>("/v1/payments", { order_id: orderId, provider: "wallet" }, { as: admin })
    yield* server.post(`/v1/orders/${orderId}/fulfil`, undefined, { as: mine.userId })
    return { params: { id: json.id }, body: { amount: (1 + (turn % 90)) / 100 } }
  })

/** The rows of payments. */
export const paymentsRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/payments": {
    tenancy: "refused",
    send: (fixture, turn) =>
      Effect.map(bought(fixture, turn), (id) => ({ body: { order_id: id, ...CARD, extent: "next" } }))
  },
  "GET /v1/payments": { tenancy: "own", send: () => ({ query: { limit: "5" } }) },
  "GET /v1/payments/{id}": { tenancy: "refused", send: authorized },
  "POST /v1/payments/{id}/capture": { tenancy: "refused", send: authorized },
  "POST /v1/payments/{id}/void": { tenancy: "refused", send: authorized },
  "POST /v1/payments/{id}/refund": { tenancy: "refused", send: earned }
}
