import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { itLive } from "../../lib/Effects.ts"
import { Market, type ProductJson, type Trader } from "../../lib/Market.ts"
import { PASSWORD } from "../../lib/OperationFixture.ts"

const usd = (dollars: number) => fromUnits(BigInt(dollars) * ONE)

const register = Effect.fnUntraced(function* (market: Market, email: string) {
  const body = { email, password: PASSWORD, company_name: `Company of ${email}` }
  const { json } = yield* market.server.post<{ readonly id: string }>("/api/v1/auth/register", body)
  const [row] = yield* market.sql<{ readonly company: string }>(
    `UPDATE users SET status = 'active' WHERE id = '${json.id}' RETURNING company_id AS company`
  )
  return { id: json.id, companyId: row?.company ?? "" } satisfies Trader
})

/** Somebody else of the same company. */
const colleagueOf = Effect.fnUntraced(function* (market: Market, { companyId }: Trader) {
  const id = `usr_${"9".repeat(24)}`
  yield* market.sql(`INSERT INTO users (id, company_id, role, status, created_at)
    VALUES ('${id}', '${companyId}', 'seller', 'active', 1)`)
  return { id, companyId } satisfies Trader
})

/** The principal of an API client that somebody makes. */
const clientOf = Effect.fnUntraced(function* (market: Market, { companyId, id }: Trader) {
  const body = { name: "Robot", scopes: ["payments:write"] }
  const { json } = yield* market.server.post<{ readonly client_id: string }>("/v1/clients", body, { as: id })
  const [row] = yield* market.sql<{ readonly principal: string }>(
    `SELECT principal_id AS principal FROM api_clients WHERE client_id = '${json.client_id}'`
  )
  return { id: row?.principal ?? "", companyId, clientId: json.client_id }
})

const erase = (market: Market, { id }: Trader) =>
  Effect.flatMap(market.server.admin, (as) =>
    Effect.map(
      market.server.post<{ readonly message: string }>(`/v1/users/${id}/erasure`, undefined, { as }),
      ({ json, status }) => [status, json.message] as const
    )
  )

const refused = (because: string): readonly [number, string] => [409, expect.stringContaining(because)]

const setQuantity = (market: Market, { id }: ProductJson, quantity: string, as: Trader) =>
  market.server.request("PUT", `/v1/commerce/products/${id}`, { quantity }, { as: as.id })

describe("An erasure", () => {
  itLive("is refused while an API client of the user has money", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* register(market, "maker@example.com")
      yield* colleagueOf(market, user)
      const client = yield* clientOf(market, user)
      yield* market.server.mint(client.id, usd(5))
      expect(yield* erase(market, user)).toEqual(refused("pay them out"))
    })
  )

  itLive("is refused while a product of the user, or of a client of it, is on sale", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* register(market, "lister@example.com")
      const colleague = yield* colleagueOf(market, user)
      const client = yield* clientOf(market, user)
      const [own, clients] = [yield* market.offer(user, 1, 3), yield* market.offer(client, 1, 3)]
      expect(yield* erase(market, user)).toEqual(refused("set the quantity of each to 0"))
      yield* setQuantity(market, own, "0", colleague)
      expect(yield* erase(market, user)).toEqual(refused("set the quantity of each to 0"))
      yield* setQuantity(market, clients, "0", colleague)
      yield* market.offer(colleague, 1, 3)
      expect((yield* erase(market, user))[0]).toBe(200)
      expect((yield* setQuantity(market, own, "1", colleague)).status).toBe(409)
      expect(yield* erase(market, colleague)).toEqual(refused("set the quantity of each to 0"))
    })
  )

  itLive("is refused while an order that the user or a client of it sells is open, also where colleagues stay", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* register(market, "seller@example.com")
      const colleague = yield* colleagueOf(market, user)
      const client = yield* clientOf(market, user)
      const buyer = yield* market.trader(usd(100))
      for (const seller of [user, client]) {
        const product = yield* market.offer(seller, 2, 1)
        const { json: order } = yield* market.order(buyer, [[product.id, 1]])
        expect(yield* erase(market, user)).toEqual(refused("buys or sells"))
        yield* market.act(order, "cancel", buyer, { reason: "none" })
        yield* setQuantity(market, product, "0", colleague)
      }
      const others = yield* market.offer(colleague, 2, 1)
      yield* market.order(buyer, [[others.id, 1]])
      expect((yield* erase(market, user))[0]).toBe(200)
    })
  )

  itLive("is refused while a client of the user pays or is paid by a subscription, and buys in an open order", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const user = yield* register(market, "subscriber@example.com")
      yield* colleagueOf(market, user)
      const client = yield* clientOf(market, user)
      const [buyer, seller] = [yield* market.trader(usd(100)), yield* market.trader()]
      const subscribe = (by: Trader, { id }: ProductJson) =>
        Effect.map(
          market.server.post<{ readonly id: string }>(
            "/v1/subscriptions",
            {
              company_id: by.companyId,
              product_id: id,
              quantity: 1,
              interval: "week",
              start: "2026-10-30T12:00:00.000Z"
            },
            { as: by.id }
          ),
          ({ json }) => json.id
        )
      const end = (id: string, by: Trader) => market.server.post(`/v1/subscriptions/${id}/cancel`, {}, { as: by.id })
      const [sold, bought] = [yield* market.offer(client, 1, 1), yield* market.offer(seller, 1, 1)]
      const paidBy = yield* subscribe(buyer, sold)
      yield* setQuantity(market, sold, "0", user)
      expect(yield* erase(market, user)).toEqual(refused("cancel them first"))
      yield* end(paidBy, buyer)
      const pays = yield* subscribe(client, bought)
      expect(yield* erase(market, user)).toEqual(refused("cancel them first"))
      yield* end(pays, client)
      const { json: order } = yield* market.order(client, [[bought.id, 1]])
      expect(yield* erase(market, user)).toEqual(refused("buys or sells"))
      yield* market.act(order, "cancel", client, { reason: "none" })
      expect((yield* erase(market, user))[0]).toBe(200)
    })
  )
})
