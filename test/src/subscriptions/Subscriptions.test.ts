import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import { withLayer } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { SubscriptionMarket } from "../../lib/SubscriptionMarket.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const anyAct = fc.oneof(
  fc.record({ act: fc.constant("subscribe" as const), interval: fc.constantFrom("week", "month") }),
  fc.record({ act: fc.constant("pass" as const), days: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ act: fc.constant("renew" as const), which: fc.nat(3) }),
  fc.record({ act: fc.constant("cancel" as const), which: fc.nat(3), atEnd: fc.boolean() }),
  fc.record({ act: fc.constant("pay" as const), dollars: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ act: fc.constant("restock" as const), pieces: fc.integer({ min: 0, max: 40 }) })
)

type Act = typeof anyAct extends fc.Arbitrary<infer A> ? A : never

const take = (market: SubscriptionMarket, made: Array<string>, one: Act) =>
  Effect.gen(function* () {
    const which = "which" in one ? made[one.which] : undefined
    if (one.act === "subscribe" && made.length < 4) {
      const { json, status } = yield* market.subscribe({ interval: one.interval })
      if (status === 200) made.push(json.id)
    }
    if (one.act === "pass") yield* market.pass(one.days)
    if (one.act === "renew" && which !== undefined) yield* market.renew(which)
    if (one.act === "cancel" && which !== undefined) yield* market.cancel(which, one.atEnd)
    if (one.act === "pay") yield* market.pay(one.dollars)
    if (one.act === "restock") yield* market.restock(one.pieces)
  })

interface Line {
  readonly event: string
  readonly period: number | null
  readonly amount: number | null
}

/** The periods that a subscription's history says were paid. */
const paidOf = (market: SubscriptionMarket, id: string) =>
  Effect.map(
    market.server.get<ReadonlyArray<Line>>(`/v1/subscriptions/${id}/history?limit=100`, market.buyer.id),
    ({ json }) => json.flatMap(({ event, period }) => (event === "payment_failed" ? [] : (period ?? [])))
  )

describe("Subscriptions", () => {
  it(
    "charge each period at most once and in turn, and lose no cent, whatever happens",
    () =>
      Effect.gen(function* () {
        const server = yield* Server
        for (const acts of fc.sample(
          fc.array(anyAct, { minLength: 10, maxLength: 30, size: "max" }),
          Math.ceil(runs() / 25)
        )) {
          const market = yield* SubscriptionMarket.make(server, 100, 60)
          const made: Array<string> = []
          for (const one of acts) yield* take(market, made, one)
          const paid = yield* Effect.forEach(made, (id) => paidOf(market, id))
          for (const periods of paid) expect(periods).toEqual(periods.map((_, index) => index + 1))
          const given = acts.reduce((sum, one) => sum + (one.act === "pay" ? one.dollars : 0), 100)
          const takings = yield* market.dollars(market.seller.id)
          expect(takings).toBe(25 * paid.flat().length)
          expect((yield* market.dollars()) + takings).toBe(given)
          expect(yield* market.pieces).toBeGreaterThanOrEqual(0)
        }
        expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      }),
    60_000
  )
})
