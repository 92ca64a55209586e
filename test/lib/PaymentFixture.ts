import { afterAll, beforeAll, it } from "bun:test"
import { Effect, Exit, Scope } from "effect"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { paymentAccount } from "../../engine/payments/Payment.ts"
import { PaymentWorker } from "../../src/payments/PaymentWorker.ts"
import type { Answer } from "./Requests.ts"
import { Market, type PurchaseOrderJson, type ProductJson, type Trader } from "./Market.ts"
import { quiet } from "./Quiet.ts"
import type { Variables } from "./TestServer.ts"

export interface PaymentJson {
  readonly id: string
  readonly order_id: string
  readonly provider: string
  readonly instrument: string | null
  readonly status: string
  readonly amount: number
  readonly captured: number
  readonly applied: number
  readonly refunding: number
  readonly refunded: number
  readonly failure: string | null
  readonly dispute: string | null
  readonly refunds: ReadonlyArray<{
    readonly id: string
    readonly amount: number
    readonly status: string
    readonly reason: string
  }>
  readonly code?: string
  readonly message?: string
}

type Paid = Effect.Effect<Answer<PaymentJson>>

/** What each of the two products of an order costs, in USD. */
export const PRICE = 30.01
export const TOTAL = 60.02

/** The money that the buyer has at first, in USD. */
const MONEY = 10_000n

/** A buyer, two sellers and their products, on a running server. */
export class PaymentFixture {
  readonly market: Market
  readonly buyer: Trader
  readonly ada: Trader
  readonly bob: Trader
  readonly products: readonly [ProductJson, ProductJson]

  private constructor(
    market: Market,
    traders: readonly [Trader, Trader, Trader],
    products: readonly [ProductJson, ProductJson]
  ) {
    this.market = market
    ;[this.buyer, this.ada, this.bob] = traders
    this.products = products
  }

  static readonly make = (variables: Variables = {}): Effect.Effect<PaymentFixture, never, Scope.Scope> =>
    Effect.gen(function* () {
      const market = yield* Market.make(variables)
      const buyer = yield* market.trader(fromUnits(MONEY * ONE), fromUnits(MONEY * ONE))
      const ada = yield* market.trader()
      const bob = yield* market.trader()
      const products = [yield* market.offer(ada, PRICE, 100_000), yield* market.offer(bob, PRICE, 100_000)] as const
      return new PaymentFixture(market, [buyer, ada, bob], products)
    })

  /** An order of one piece of each seller. */
  order(terms?: unknown): Effect.Effect<PurchaseOrderJson> {
    const [one, other] = this.products
    return Effect.map(
      this.market.order(
        this.buyer,
        [
          [one.id, 1],
          [other.id, 1]
        ],
        terms
      ),
      ({ json }) => json
    )
  }

  pay(orderId: string, how: Readonly<Record<string, unknown>>, as: Trader = this.buyer, key?: string): Paid {
    return this.market.server.post("/v1/payments", { order_id: orderId, ...how }, { as: as.id, key })
  }

  /** Pays with a test card. */
  card(orderId: string, instrument: string, more: Readonly<Record<string, unknown>> = {}): Paid {
    return this.pay(orderId, { provider: "sandbox-card", instrument, ...more })
  }

  act(paymentId: string, act: "capture" | "void", as: Trader = this.buyer, key?: string): Paid {
    return this.market.server.post(`/v1/payments/${paymentId}/${act}`, undefined, { as: as.id, key })
  }

  refund(paymentId: string, amount: number | undefined, as: Trader, key?: string): Paid {
    return this.market.server.post(`/v1/payments/${paymentId}/refund`, amount === undefined ? {} : { amount }, {
      as: as.id,
      key
    })
  }

  get(paymentId: string, as: Trader = this.buyer): Paid {
    return this.market.server.get(`/v1/payments/${paymentId}`, as.id)
  }

  /** Everything that is due after so much time; more than one round, as one step may make the next due. */
  work(millis = 0): Effect.Effect<void> {
    this.market.server.world.pass(millis)
    const tick = this.market.server.run(Effect.flatMap(PaymentWorker, (worker) => worker.tick))
    return Effect.gen(function* () {
      for (let round = 0; round < MAX_ROUNDS; round++) if ((yield* tick) === 0) return
    })
  }

  /** A user's USD in cents. */
  cents(trader: Trader): Effect.Effect<number> {
    return Effect.map(this.market.account(walletOf(trader.id, "USD")), ({ balance }) => Number(balance / 10_000n))
  }

  /** What a payment has of its own, in 10⁻⁶. */
  kept(paymentId: string): Effect.Effect<bigint> {
    return Effect.map(this.market.account(paymentAccount(paymentId)), ({ balance }) => balance)
  }

  /** What the card issuer carried out for a payment, in cents by kind. */
  issued(paymentId: string): Effect.Effect<Readonly<Record<string, ReadonlyArray<number>>>> {
    const text = `SELECT kind, (amount / 10000)::integer AS cents FROM sandbox_card_requests
      WHERE charge_id = 'sbx_${paymentId}' AND outcome = 'approved' ORDER BY at, key`
    return Effect.map(this.market.sql<{ readonly kind: string; readonly cents: number }>(text), (rows) =>
      Object.fromEntries(
        Map.groupBy(rows, ({ kind }) => kind)
          .entries()
          .map(([kind, of]) => [kind, of.map(({ cents }) => cents)])
      )
    )
  }
}

const MAX_ROUNDS = 20

/** One fixture for the tests of a file, how to define them, and what the three have more after an act than before. */
export const tellingPayments = () => {
  const scope = Effect.runSync(Scope.make())
  const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(Effect.provide(effect, quiet))
  const made: Array<PaymentFixture> = []
  const fixture = (): PaymentFixture => {
    const [first] = made
    if (first === undefined) throw new Error("there is a fixture in tests alone")
    return first
  }
  beforeAll(() => run(Scope.provide(PaymentFixture.make(), scope)).then((one) => void made.push(one)))
  afterAll(() => run(Scope.close(scope, Exit.void)))

  /** In cents: of the buyer and of both sellers. */
  const changeOf = (act: Effect.Effect<unknown>) =>
    Effect.gen(function* () {
      const cents = Effect.forEach([fixture().buyer, fixture().ada, fixture().bob], (one) => fixture().cents(one))
      const before = yield* cents
      yield* act
      const after = yield* cents
      return after.map((now, index) => now - (before[index] ?? 0))
    })

  const tests = (name: string, body: () => Effect.Effect<void>) => it(name, () => run(Effect.suspend(body)))
  return { changeOf, fixture, tests }
}
