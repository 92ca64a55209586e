import { Effect } from "effect"
import type { OperationRow } from "../OperationRows.ts"
import { addParty, type Fixture } from "../OperationFixture.ts"
import { offerGoods } from "../TestGoods.ts"
import { submitKyc } from "./KycRows.ts"

/** What `mine`, who may send money, buys of a third party. */
const wanted = (fixture: Fixture, turn: number) =>
  Effect.gen(function* () {
    const { admin, mine, server } = fixture
    yield* submitKyc(fixture, mine.userId)
    yield* server.request("PUT", `/v1/users/verify/${mine.userId}`, undefined, { as: admin })
    const seller = yield* addParty(fixture, `subscribed${turn}@example.com`)
    const product = yield* offerGoods(server, seller)
    return { company_id: mine.companyId, product_id: product, quantity: 1, interval: "month" as const }
  })

/** A subscription of `mine`. */
const subscribed = (fixture: Fixture, turn: number) =>
  Effect.gen(function* () {
    const { json } = yield* fixture.server.post<{ readonly id: string }>(
      "/v1/subscriptions",
      yield* wanted(fixture, turn),
      { as: fixture.mine.userId }
    )
    return json.id
  })

const ofOne =
  (offset: number, body?: object): OperationRow["send"] =>
  (fixture, turn) =>
    Effect.map(subscribed(fixture, turn * 10 + offset), (id) => ({
      params: { id },
      ...(body === undefined ? {} : { body })
    }))

/** The rows of subscriptions. */
export const subscriptionRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/subscriptions": {
    tenancy: "refused",
    send: (fixture, turn) => Effect.map(wanted(fixture, turn * 10), (body) => ({ body }))
  },
  "GET /v1/subscriptions": { tenancy: "own", send: () => ({}) },
  "GET /v1/subscriptions/{id}": { tenancy: "refused", send: ofOne(1) },
  "GET /v1/subscriptions/{id}/history": { tenancy: "refused", send: ofOne(2) },
  "POST /v1/subscriptions/{id}/cancel": { tenancy: "refused", send: ofOne(3, {}) },
  "POST /v1/subscriptions/{id}/renew": { tenancy: "refused", send: ofOne(4) }
}
