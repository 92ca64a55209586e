import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits, ONE } from "../../../../engine/money/Amount.ts"
import { itLive } from "../../../lib/Effects.ts"
import { transferBody } from "../../../lib/MoneyFixture.ts"
import { Market, type ProductJson, type Trader } from "../../../lib/Market.ts"

const usd = (dollars: number) => fromUnits(BigInt(dollars) * ONE)

interface Client extends Trader {
  readonly clientId: string
}

const clientOf = Effect.fnUntraced(function* (market: Market, { companyId, id }: Trader) {
  const body = { name: "Robot", scopes: ["payments:write"] }
  const { json } = yield* market.server.post<{ readonly client_id: string }>("/v1/clients", body, { as: id })
  const [row] = yield* market.sql<{ readonly principal: string }>(
    `SELECT principal_id AS principal FROM api_clients WHERE client_id = '${json.client_id}'`
  )
  return { id: row?.principal ?? "", companyId, clientId: json.client_id } satisfies Client
})

/** Deletes it as somebody of its company. */
const remove = (market: Market, { clientId }: Client, as: string) =>
  Effect.map(
    market.server.request<{ readonly message?: string }>("DELETE", `/v1/clients/${clientId}`, undefined, { as }),
    ({ json, status }) => [status, json.message ?? ""] as const
  )

const refused = (because: string): readonly [number, string] => [409, expect.stringContaining(because)]

const setQuantity = (market: Market, { id }: ProductJson, quantity: string, as: Trader) =>
  market.server.request<{ readonly message?: string }>(
    "PUT",
    `/v1/commerce/products/${id}`,
    { quantity },
    { as: as.id }
  )

const subscribe = Effect.fnUntraced(function* (market: Market, by: Trader, { id }: ProductJson) {
  const body = {
    company_id: by.companyId,
    product_id: id,
    quantity: 1,
    interval: "week",
    start: "2026-10-30T12:00:00.000Z"
  }
  const { json } = yield* market.server.post<{ readonly id: string }>("/v1/subscriptions", body, { as: by.id })
  return { cancel: market.server.post(`/v1/subscriptions/${json.id}/cancel`, {}, { as: by.id }) }
})

describe("A client is not deleted", () => {
  itLive("while it has money, by an administrator neither, and is once the money is elsewhere", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* market.trader()
      const [client, empty] = [yield* clientOf(market, user), yield* clientOf(market, user)]
      yield* market.server.mint(client.id, usd(5))
      const [status, message] = yield* remove(market, client, user.id)
      expect([status, message]).toEqual([
        409,
        "The client cannot be deleted yet: move its money out and let its holds and debts settle first; " +
          "a lost secret ends at once by rotating it instead."
      ])
      expect((yield* remove(market, client, yield* market.server.admin))[0]).toBe(409)
      const stranger = yield* market.trader()
      expect((yield* remove(market, client, stranger.id))[0]).toBe(404)
      expect((yield* remove(market, empty, user.id))[0]).toBe(200)
      const moved = yield* market.server.post("/v1/transfers", transferBody(client.id, user.id, "5"), { as: client.id })
      expect([moved.status, (yield* remove(market, client, user.id))[0]]).toEqual([200, 200])
    })
  )

  itLive("while something that it listed is on sale, whatever its colleagues sell", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* market.trader()
      const client = yield* clientOf(market, user)
      const product = yield* market.offer(client, 1, 3)
      yield* market.offer(user, 1, 3)
      expect(yield* remove(market, client, user.id)).toEqual(refused("set the quantity of its products on sale to 0"))
      yield* setQuantity(market, product, "0", user)
      expect((yield* remove(market, client, user.id))[0]).toBe(200)
      const { json, status } = yield* setQuantity(market, product, "1", user)
      expect([status, json.message]).toEqual([
        409,
        `The account that is paid for ${product.id} is gone: offer it as a new product instead.`
      ])
      expect((yield* setQuantity(market, product, "0", user)).status).toBe(200)
    })
  )

  itLive("while an order that it sells or buys in is open, whatever its colleagues sell", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* market.trader()
      const client = yield* clientOf(market, user)
      const buyer = yield* market.trader(usd(100))
      const own = yield* market.offer(client, 2, 1)
      const others = yield* market.offer(user, 2, 1)
      yield* market.order(buyer, [[others.id, 1]])
      const { json: sold } = yield* market.order(buyer, [[own.id, 1]])
      expect(yield* remove(market, client, user.id)).toEqual(refused("the open orders that it buys or sells in"))
      yield* market.act(sold, "cancel", buyer, { reason: "none" })
      yield* setQuantity(market, own, "0", user)
      const foreign = yield* market.offer(buyer, 2, 1)
      const { json: bought } = yield* market.order(client, [[foreign.id, 1]])
      expect(yield* remove(market, client, user.id)).toEqual(refused("the open orders that it buys or sells in"))
      yield* market.act(bought, "cancel", client, { reason: "none" })
      expect((yield* remove(market, client, user.id))[0]).toBe(200)
    })
  )

  itLive("while a subscription runs that it is paid by or pays", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const [user, buyer] = [yield* market.trader(), yield* market.trader(usd(100))]
      const client = yield* clientOf(market, user)
      const [own, foreign] = [yield* market.offer(client, 1, 1), yield* market.offer(buyer, 1, 1)]
      const sold = yield* subscribe(market, buyer, own)
      yield* setQuantity(market, own, "0", user)
      expect(yield* remove(market, client, user.id)).toEqual(refused("cancel the subscriptions"))
      yield* sold.cancel
      const bought = yield* subscribe(market, client, foreign)
      expect(yield* remove(market, client, user.id)).toEqual(refused("cancel the subscriptions"))
      yield* bought.cancel
      expect((yield* remove(market, client, user.id))[0]).toBe(200)
    })
  )
})
