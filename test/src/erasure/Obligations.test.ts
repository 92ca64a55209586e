import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { clientOf, colleagueOf, erase, refused, register, setQuantity, usd } from "../../lib/ErasedSeller.ts"
import { Market, type ProductJson, type Trader } from "../../lib/Market.ts"

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

  itLive("is refused while a payment of the user is under way, or one of what it sold is disputed or given back", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const [user, buyer] = [yield* register(market, "paid@example.com"), yield* market.trader(usd(100))]
      yield* colleagueOf(market, user)
      const product = yield* market.offer(user, 2, 1)
      const { json: order } = yield* market.order(buyer, [[product.id, 1]])
      yield* market.act(order, "pay", buyer)
      yield* market.act(order, "fulfil", user)
      yield* market.sql(`UPDATE ledger_accounts SET balance = 0 WHERE owner = '${user.id}'`)
      const payment = (id: string, payer: string, state: string, dispute: string) =>
        market.sql(`
          INSERT INTO payments (id, order_id, payer, company_id, provider, direct, extent, capture, state, amount,
            captured, dispute, created_at, changed_at)
          VALUES ('${id}', '${order.id}', '${payer}', '${buyer.companyId}', 'stripe', false, 'all', 'manual',
            '${state}', 2, ${state === "captured" ? 2 : 0}, ${dispute}, 1, 1)`)
      const expectRefused = Effect.fnUntraced(function* (...endings: ReadonlyArray<string>) {
        expect(yield* erase(market, user)).toEqual(refused("under way, disputed or given back"))
        for (const ending of endings) yield* market.sql(ending)
      })
      yield* payment("pay_1", user.id, "authorized", "NULL")
      yield* expectRefused("UPDATE payments SET state = 'voided' WHERE id = 'pay_1'")
      yield* payment("pay_2", buyer.id, "captured", "'open'")
      yield* expectRefused(
        "UPDATE payments SET dispute = 'won' WHERE id = 'pay_2'",
        `INSERT INTO payment_refunds (id, payment_id, amount, cause, seller_id, state, requested_at)
          VALUES ('ref_1', 'pay_2', 1, 'seller', '${user.companyId}', 'pending', 1)`
      )
      yield* expectRefused("UPDATE payment_refunds SET state = 'succeeded', settled_at = 2")
      expect((yield* erase(market, user))[0]).toBe(200)
    })
  )
})
