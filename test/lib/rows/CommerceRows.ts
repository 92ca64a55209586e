import { Effect } from "effect"
import { ONE } from "../../../engine/money/Amount.ts"
import { Owners } from "../../../src/identity/users/Owners.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Scene } from "../OperationFixture.ts"
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
const offered = ({ server }: Scene, as: string, turn: number) =>
  Effect.map(server.post<Made>("/v1/commerce/products", productOf(turn), { as }), ({ json }) => json.id)

const companyOf = ({ server }: Scene, userId: string) =>
  Effect.map(Effect.orDie(server.service(Owners).ownerOf(userId)), ({ companyId }) => companyId)

const orderOf = (companyId: string, productId: string, turn: number) => ({
  company_id: companyId,
  items: [{ product_id: productId, quantity: 1 + (turn % 9) }],
  payment_terms: { type: "prepaid", installments: turn }
})

/** An order of one party at another one. */
const ordered = (scene: Scene, buyer: string, seller: string, turn: number) =>
  Effect.gen(function* () {
    const productId = yield* offered(scene, seller, turn)
    const body = orderOf(yield* companyOf(scene, buyer), productId, turn)
    return (yield* scene.server.post<Made>("/v1/orders", body, { as: buyer })).json.id
  })

const bought = (scene: Scene, turn: number) =>
  Effect.map(ordered(scene, scene.mine.userId, scene.admin, turn), (id) => ({ params: { id } }))

const listed = (scene: Scene, turn: number) =>
  Effect.gen(function* () {
    const { admin, mine, server } = scene
    const prices = [{ product_id: yield* offered(scene, mine.userId, turn), price: 0.2 }]
    const body = { customer_company_id: yield* companyOf(scene, admin), name: `List ${turn}`, prices }
    return { body, id: (yield* server.post<Made>("/v1/commerce/price-lists", body, { as: mine.userId })).json.id }
  })

const open = (send: OperationRow["send"]): OperationRow => ({ tenancy: "public", send })

const refused = (send: OperationRow["send"]): OperationRow => ({ tenancy: "refused", send })

const productRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/commerce/products": { tenancy: "own", send: (_, turn) => ({ body: productOf(turn) }) },
  "GET /v1/commerce/products": open(() => ({ query: { type: "Commodity", bidable: "false", q: "bolt", limit: "5" } })),
  "GET /v1/commerce/products/{id}": open((scene, turn) =>
    Effect.map(offered(scene, scene.mine.userId, turn), (id) => ({ params: { id } }))
  ),
  "PUT /v1/commerce/products/{id}": refused((scene, turn) =>
    Effect.map(offered(scene, scene.mine.userId, turn), (id) => ({
      params: { id },
      body: { price: 0.5, quantity: `${turn}` }
    }))
  ),
  "GET /v1/commerce/catalog": open(() => ({ query: { limit: "5" } }))
}

const priceListRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/commerce/price-lists": refused((scene, turn) =>
    Effect.gen(function* () {
      const prices = [{ product_id: yield* offered(scene, scene.mine.userId, turn), price: 0.2 }]
      return { body: { customer_company_id: yield* companyOf(scene, scene.admin), name: `List ${turn}`, prices } }
    })
  ),
  "GET /v1/commerce/price-lists": { tenancy: "own", send: () => ({ query: { limit: "5" } }) },
  "GET /v1/commerce/price-lists/{id}": refused((scene, turn) =>
    Effect.map(listed(scene, turn), ({ id }) => ({ params: { id } }))
  ),
  "PUT /v1/commerce/price-lists/{id}": refused((scene, turn) =>
    Effect.map(listed(scene, turn), ({ body, id }) => ({
      params: { id },
      body: { name: `Renamed ${turn}`, prices: body.prices }
    }))
  ),
  "DELETE /v1/commerce/price-lists/{id}": refused((scene, turn) =>
    Effect.map(listed(scene, turn), ({ id }) => ({ params: { id } }))
  )
}

/** Lets somebody pay. */
const verified = (scene: Scene, userId: string) =>
  Effect.andThen(
    submitKyc(scene, userId),
    scene.server.request("PUT", `/v1/users/verify/${userId}`, undefined, { as: scene.admin })
  )

const orderRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/orders": refused((scene, turn) =>
    Effect.map(offered(scene, scene.admin, turn), (id) => ({ body: orderOf(scene.mine.companyId, id, turn) }))
  ),
  "GET /v1/orders": { tenancy: "own", send: () => ({ query: { role: "buyer", limit: "5" } }) },
  "GET /v1/orders/{id}": refused(bought),
  "POST /v1/orders/{id}/pay": refused((scene, turn) =>
    Effect.gen(function* () {
      yield* verified(scene, scene.mine.userId)
      return { ...(yield* bought(scene, turn)), body: { instalments: "next", turn } }
    })
  ),
  "POST /v1/orders/{id}/fulfil": refused((scene, turn) =>
    Effect.gen(function* () {
      const { admin, mine, server } = scene
      yield* server.mint(admin, (10n * ONE) as typeof ONE)
      const id = yield* ordered(scene, admin, mine.userId, turn)
      yield* server.post(`/v1/orders/${id}/pay`, {}, { as: admin })
      return { params: { id } }
    })
  ),
  "POST /v1/orders/{id}/cancel": refused((scene, turn) =>
    Effect.map(bought(scene, turn), (sent) => ({ ...sent, body: { reason: `Too many, ${turn}` } }))
  ),
  "GET /v1/orders/{id}/history": refused(bought)
}

/** The rows of products, price lists and orders. */
export const commerceRows: Readonly<Record<string, OperationRow>> = { ...productRows, ...priceListRows, ...orderRows }
