import { Effect } from "effect"
import { ONE } from "../../../engine/money/Amount.ts"
import { Owners } from "../../../src/identity/users/Owners.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"
import { submitKyc } from "./KycRows.ts"

interface Made {
  readonly id: string
}

const productOf = (turn: number) => ({
  name: `Bolt ${turn}`,
  price: 0.25,
  description: "M8, zinc",
  quantity: "1000",
  type: "Commodity"
})

/** A product of somebody. */
const offered = ({ server }: Fixture, as: string, turn: number) =>
  Effect.map(server.post<Made>("/v1/commerce/products", productOf(turn), { as }), ({ json }) => json.id)

const companyOf = ({ server }: Fixture, userId: string) =>
  Effect.map(Effect.orDie(server.service(Owners).ownerOf(userId)), ({ companyId }) => companyId)

const orderOf = (companyId: string, productId: string, turn: number) => ({
  company_id: companyId,
  items: [{ product_id: productId, quantity: 1 + (turn % 9) }],
  payment_terms: { type: "prepaid", installments: turn % 2 }
})

/** An order of one party at another one. */
const ordered = (fixture: Fixture, buyer: string, seller: string, turn: number) =>
  Effect.gen(function* () {
    const productId = yield* offered(fixture, seller, turn)
    const body = orderOf(yield* companyOf(fixture, buyer), productId, turn)
    return (yield* fixture.server.post<Made>("/v1/orders", body, { as: buyer })).json.id
  })

const bought = (fixture: Fixture, turn: number) =>
  Effect.map(ordered(fixture, fixture.mine.userId, fixture.admin, turn), (id) => ({ params: { id } }))

const listed = (fixture: Fixture, turn: number) =>
  Effect.gen(function* () {
    const { admin, mine, server } = fixture
    const prices = [{ product_id: yield* offered(fixture, mine.userId, turn), price: 0.2 }]
    const body = { customer_company_id: yield* companyOf(fixture, admin), name: `List ${turn}`, prices }
    return { body, id: (yield* server.post<Made>("/v1/commerce/price-lists", body, { as: mine.userId })).json.id }
  })

const open = (send: OperationRow["send"]): OperationRow => ({ tenancy: "public", send })

const refused = (send: OperationRow["send"]): OperationRow => ({ tenancy: "refused", send })

const productRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/commerce/products": { tenancy: "own", send: (_, turn) => ({ body: productOf(turn) }) },
  "GET /v1/commerce/products": open(() => ({ query: { type: "Commodity", bidable: "false", q: "bolt", limit: "5" } })),
  "GET /v1/commerce/products/{id}": open((fixture, turn) =>
    Effect.map(offered(fixture, fixture.mine.userId, turn), (id) => ({ params: { id } }))
  ),
  "PUT /v1/commerce/products/{id}": refused((fixture, turn) =>
    Effect.map(offered(fixture, fixture.mine.userId, turn), (id) => ({
      params: { id },
      body: { price: 0.5, quantity: `${turn}` }
    }))
  ),
  "GET /v1/commerce/catalog": open(() => ({ query: { limit: "5" } }))
}

const priceListRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/commerce/price-lists": refused((fixture, turn) =>
    Effect.gen(function* () {
      const prices = [{ product_id: yield* offered(fixture, fixture.mine.userId, turn), price: 0.2 }]
      return { body: { customer_company_id: yield* companyOf(fixture, fixture.admin), name: `List ${turn}`, prices } }
    })
  ),
  "GET /v1/commerce/price-lists": { tenancy: "own", send: () => ({ query: { limit: "5" } }) },
  "GET /v1/commerce/price-lists/{id}": refused((fixture, turn) =>
    Effect.map(listed(fixture, turn), ({ id }) => ({ params: { id } }))
  ),
  "PUT /v1/commerce/price-lists/{id}": refused((fixture, turn) =>
    Effect.map(listed(fixture, turn), ({ body, id }) => ({
      params: { id },
      body: { name: `Renamed ${turn}`, prices: body.prices }
    }))
  ),
  "DELETE /v1/commerce/price-lists/{id}": refused((fixture, turn) =>
    Effect.map(listed(fixture, turn), ({ id }) => ({ params: { id } }))
  )
}

/** Lets somebody pay. */
const verified = (fixture: Fixture, userId: string) =>
  Effect.andThen(
    submitKyc(fixture, userId),
    fixture.server.request("PUT", `/v1/users/verify/${userId}`, undefined, { as: fixture.admin })
  )

const orderRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/orders": refused((fixture, turn) =>
    Effect.map(offered(fixture, fixture.admin, turn), (id) => ({ body: orderOf(fixture.mine.companyId, id, turn) }))
  ),
  "GET /v1/orders": { tenancy: "own", send: () => ({ query: { role: "buyer", limit: "5" } }) },
  "GET /v1/orders/{id}": refused(bought),
  "POST /v1/orders/{id}/pay": refused((fixture, turn) =>
    Effect.gen(function* () {
      yield* verified(fixture, fixture.mine.userId)
      return { ...(yield* bought(fixture, turn)), body: { instalments: "next", turn } }
    })
  ),
  "POST /v1/orders/{id}/fulfil": refused((fixture, turn) =>
    Effect.gen(function* () {
      const { admin, mine, server } = fixture
      yield* server.mint(admin, (10n * ONE) as typeof ONE)
      const id = yield* ordered(fixture, admin, mine.userId, turn)
      yield* server.post(`/v1/orders/${id}/pay`, {}, { as: admin })
      return { params: { id } }
    })
  ),
  "POST /v1/orders/{id}/cancel": refused((fixture, turn) =>
    Effect.map(bought(fixture, turn), (sent) => ({ ...sent, body: { reason: `Too many, ${turn}` } }))
  ),
  "GET /v1/orders/{id}/history": refused(bought)
}

/** The rows of products, price lists and orders. */
export const commerceRows: Readonly<Record<string, OperationRow>> = { ...productRows, ...priceListRows, ...orderRows }
