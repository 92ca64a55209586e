import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { ROUND } from "../../../src/subscriptions/Renewals.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { DAY } from "../../lib/SubscriptionScenario.ts"
import { SubscriptionMarket } from "../../lib/SubscriptionMarket.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

describe("Renewals", () => {
  it("charge each period once, however many look and ask at once", () =>
    Effect.gen(function* () {
      const market = yield* SubscriptionMarket.make(yield* Server)
      const { json } = yield* market.subscribe()
      market.server.world.pass(7 * DAY)
      const looks = Array.from({ length: 8 }, () => market.look)
      const asks = Array.from({ length: 4 }, () => market.renew(json.id))
      const [, answers] = yield* Effect.all(
        [Effect.all(looks, { concurrency: "unbounded" }), Effect.all(asks, { concurrency: "unbounded" })],
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
      const { paid_periods: paid } = (yield* market.read(json.id)).json
      expect(paid).toBeWithin(2, 4)
      expect(yield* market.dollars()).toBe(1_000 - 25 * paid)
      expect(yield* market.pieces).toBe(1_000 - 10 * paid)
      yield* market.look
      expect((yield* market.read(json.id)).json.paid_periods).toBe(paid)
    }))

  it("take what is due from the one wallet and stock, and no more than there is", () =>
    Effect.gen(function* () {
      const market = yield* SubscriptionMarket.make(yield* Server, 250, 130)
      const made = yield* Effect.all(
        Array.from({ length: 6 }, () => market.subscribe()),
        { concurrency: "unbounded" }
      )
      expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
      yield* market.pass(7)
      const all = yield* Effect.forEach(made, ({ json }) => market.read(json.id))
      const paid = all.filter(({ json }) => json.paid_periods === 2)
      expect(paid).toHaveLength(4)
      expect(yield* market.dollars()).toBe(0)
      expect(yield* market.dollars(market.seller.id)).toBe(250)
      expect(yield* market.pieces).toBe(30)
    }))

  it("go on in rounds of a limit", () =>
    Effect.gen(function* () {
      const market = yield* SubscriptionMarket.make(yield* Server)
      const few = { quantity: 1, interval: "year", periods: 2 }
      yield* Effect.all(
        Array.from({ length: ROUND + 3 }, () => market.subscribe(few)),
        { concurrency: 8 }
      )
      market.server.world.pass(370 * DAY)
      expect(yield* market.look).toBe(ROUND)
      let [due, rounds] = [ROUND, 1]
      while (due > 0 && rounds < 200) {
        due = yield* market.look
        rounds += 1
      }
      expect(due).toBe(0)
      expect(yield* market.pieces).toBe(1_000 - 2 * (ROUND + 3))
    }))

  it("find what is due again after a restart, and leave what a replay derives", () =>
    Effect.gen(function* () {
      const market = yield* SubscriptionMarket.make(yield* Server)
      const { json } = yield* market.subscribe({ interval: "month" })
      market.server.world.pass(32 * DAY)
      yield* market.server.restart()
      yield* market.look
      yield* market.server.restart()
      yield* market.look
      expect((yield* market.read(json.id)).json).toMatchObject({ paid_periods: 2, status: "active" })
      expect(yield* market.dollars()).toBe(950)
      expect(yield* replayFindings(market.server)).toEqual(NO_FINDINGS)
    }))
})
