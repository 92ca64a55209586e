import { Effect } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import type { SubscriptionAnswer } from "../../engine/subscriptions/SubscriptionObject.ts"
import { Renewals } from "../../src/subscriptions/Renewals.ts"
import { DAY } from "./SubscriptionScenario.ts"
import { accountOf } from "./TestFunds.ts"
import { offerGoods } from "./TestGoods.ts"
import type { TestServer } from "./TestServer.ts"

export type Subscribed = typeof SubscriptionAnswer.Encoded & { readonly message: string }

/** A buyer, a seller, and what the one buys of the other: ten pieces of 2.50 USD a week. */
export class SubscriptionMarket {
  readonly server: TestServer
  readonly buyer: { readonly id: string; readonly companyId: string }
  readonly seller: { readonly id: string; readonly companyId: string }
  readonly productId: string

  private constructor(
    server: TestServer,
    buyer: SubscriptionMarket["buyer"],
    seller: SubscriptionMarket["seller"],
    productId: string
  ) {
    this.server = server
    this.buyer = buyer
    this.seller = seller
    this.productId = productId
  }

  /** With so many dollars and so many pieces. */
  static readonly make = (server: TestServer, dollars = 1_000, pieces = 1_000): Effect.Effect<SubscriptionMarket> =>
    Effect.gen(function* () {
      const [buyer, seller] = [yield* server.user(), yield* server.user()]
      const trader = { userId: seller.id, companyId: seller.companyId }
      const market = new SubscriptionMarket(server, buyer, seller, yield* offerGoods(server, trader, pieces))
      if (dollars > 0) yield* market.pay(dollars)
      return market
    })

  get wanted() {
    return { company_id: this.buyer.companyId, product_id: this.productId, quantity: 10, interval: "week" }
  }

  subscribe(change: object = {}, key?: string) {
    return this.server.post<Subscribed>("/v1/subscriptions", { ...this.wanted, ...change }, { as: this.buyer.id, key })
  }

  read(id: string, as = this.buyer.id) {
    return this.server.get<Subscribed>(`/v1/subscriptions/${id}`, as)
  }

  renew(id: string, as = this.buyer.id, key?: string) {
    return this.server.post<Subscribed>(`/v1/subscriptions/${id}/renew`, undefined, { as, key })
  }

  cancel(id: string, atPeriodEnd = false, as = this.buyer.id, key?: string) {
    const body = atPeriodEnd ? { at_period_end: true } : {}
    return this.server.post<Subscribed>(`/v1/subscriptions/${id}/cancel`, body, { as, key })
  }

  pay(dollars: number) {
    return this.server.mint(this.buyer.id, fromUnits(BigInt(dollars) * ONE))
  }

  restock(pieces: number) {
    const path = `/v1/commerce/products/${this.productId}`
    return this.server.request("PUT", path, { quantity: `${pieces}` }, { as: this.seller.id })
  }

  /** Lets so many days pass, with the worker looking once after them. */
  pass(days: number) {
    return Effect.suspend(() => {
      this.server.world.pass(days * DAY)
      return this.look
    })
  }

  /** The worker's round. */
  get look() {
    return this.server.run(this.server.service(Renewals).round)
  }

  /** The dollars of a user. */
  dollars(userId = this.buyer.id): Effect.Effect<number> {
    return this.#units(`${userId}/USD/wallet`)
  }

  /** The pieces that the seller has. */
  get pieces(): Effect.Effect<number> {
    return this.#units(`${this.seller.companyId}/PRODUCT:${this.productId}/stock`)
  }

  #units(account: Parameters<typeof accountOf>[0]): Effect.Effect<number> {
    return Effect.map(this.server.run(accountOf(account)), ({ balance }) => Number(balance) / Number(ONE))
  }
}
