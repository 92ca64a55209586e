import { describe, expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { withLayer } from "../../lib/Effects.ts"
import { Money, type MoneyFixture, outcome, type Quoted } from "../../lib/MoneyFixture.ts"
import { runs } from "../../lib/Property.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const it = withLayer(Money.layer())

const EUR_USD = { pair: "EUR/USD", quantity: 10 }

/** Runs an attack by somebody of means, and sees that nobody of them is richer at the oracle's median than before. */
const gainsNothing = (
  attack: (fixture: MoneyFixture, attacker: string, friend: string) => Effect.Effect<unknown, never, Money>
) =>
  Effect.gen(function* () {
    const fixture = yield* Money
    const attacker = yield* fixture.owner({ USD: "10000", EUR: "10000", JPY: "1000000", BTC: "1" })
    const friend = yield* fixture.owner({ USD: "100", EUR: "100" })
    const prices = new Map(fixture.world.prices)
    const before = yield* fixture.wealth(attacker, friend)
    yield* attack(fixture, attacker, friend)
    for (const [asset, price] of prices) fixture.world.prices.set(asset, price)
    expect((yield* fixture.wealth(attacker, friend)) <= before).toBe(true)
  })

const held = (fixture: MoneyFixture, owner: string, body: Readonly<Record<string, unknown>> = EUR_USD) =>
  Effect.map(fixture.quote(owner, body), ({ json, status }): Quoted => {
    expect(status).toBe(200)
    return json
  })

describe("A held rate", () => {
  it("is used once, by its owner, for its size, within a minute", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ EUR: "100" }), yield* fixture.owner()]
      const quote = yield* held(fixture, ada)
      expect(quote).toMatchObject({ rate: 1.093905, value: "10.93905", used: false })
      fixture.world.pass(59_999)
      const sent = yield* fixture.send(ada, bob, "10", { pair: "EUR/USD", quote_id: quote.id, fxQuote: quote.rate })
      expect(sent.status).toBe(200)
      expect(yield* fixture.balance(bob, "USD")).toBe(10_939_050n)
      expect((yield* fixture.server.get(`/v1/fx/quotes/${quote.id}`, ada)).json).toMatchObject({ used: true })
      expect(outcome(yield* fixture.server.get(`/v1/fx/quotes/${quote.id}`, bob))).toEqual([404, "not_found"])
    }))

  it("buys a size of the base for what it comes to", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "100" }), yield* fixture.owner()]
      const quote = yield* held(fixture, ada, { ...EUR_USD, trade: "Buy" })
      // 1.095 and a thousandth, for 10.
      expect(quote).toMatchObject({ rate: 1.096095, value: "10.96095" })
      const sent = yield* fixture.send(ada, bob, "10", { pair: "EUR/USD", quote_id: quote.id, fxQuote: quote.rate })
      expect(sent.json).toMatchObject({ quantity: "10" } as never)
      expect([yield* fixture.balance(bob, "EUR"), yield* fixture.balance(ada, "USD")]).toEqual([
        10_000_000n,
        89_039_050n
      ])
    }))

  it("is refused for what cannot be, naming the field", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const ada = yield* fixture.owner()
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, unknown>>, number, string]> = [
        [{ quantity: 0 }, 400, "payload.quantity"],
        [{ quantity: -1 }, 400, "payload.quantity"],
        [{ quantity: "1" }, 400, "payload.quantity"],
        [{ pair: "EUR USD" }, 400, "payload.pair"],
        [{ trade: "Hold" }, 400, "payload.trade"],
        [{ pair: "USD/USD" }, 422, "payload.pair"],
        [{ pair: "JPY/BTC", quantity: 0.000001 }, 422, "At this rate nothing"]
      ]
      for (const [change, status, message] of wrong) {
        const { json, status: got } = yield* fixture.server.post<{ readonly message: string }>(
          "/v1/fx/quotes",
          { ...EUR_USD, ...change },
          { as: ada }
        )
        expect([change, got, json.message.slice(0, message.length)]).toEqual([change, status, message])
      }
    }))

  it("is used by one of 50 that race for it", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ EUR: "1000" }), yield* fixture.owner()]
      const quote = yield* held(fixture, ada)
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => fixture.send(ada, bob, "10", { pair: "EUR/USD", quote_id: quote.id })),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const others = answers.filter(({ status }) => status !== 200).map(outcome)
      expect(others).toEqual(Array.from({ length: 49 }, () => [409, "conflict"]))
      expect([yield* fixture.balance(ada, "EUR"), yield* fixture.balance(bob, "USD")]).toEqual([
        990_000_000n,
        10_939_050n
      ])
    }))
})

describe("Nobody gains a cent", () => {
  it("by executing at a rate of the caller's own", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker) {
        const better = yield* fixture.send(attacker, attacker, "100", { pair: "EUR/USD", fxQuote: 2 })
        expect(outcome(better)).toEqual([409, "conflict"])
        for (const fxQuote of [0, 1.09, 1.093905]) {
          expect((yield* fixture.send(attacker, attacker, "100", { pair: "EUR/USD", fxQuote })).status).toBe(200)
        }
        expect(outcome(yield* fixture.send(attacker, attacker, "1", { pair: "EUR/USD", fxQuote: 1.093906 }))).toEqual([
          409,
          "conflict"
        ])
      })
    ))

  it("by waiting a quote out: what moves past it is not sold at it, whichever way", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker) {
        for (const trade of ["Sell", "Buy"]) {
          for (const permille of [900n, 997n, 1_003n, 1_100n]) {
            const prices = new Map(fixture.world.prices)
            const quote = yield* held(fixture, attacker, { ...EUR_USD, trade })
            fixture.world.move(permille, ({ asset }) => asset === "EUR/USD")
            const before = yield* fixture.wealth(attacker)
            yield* fixture.send(attacker, attacker, "10", { pair: "EUR/USD", quote_id: quote.id })
            expect((yield* fixture.wealth(attacker)) <= before).toBe(true)
            for (const [asset, price] of prices) fixture.world.prices.set(asset, price)
          }
        }
        const quote = yield* held(fixture, attacker)
        fixture.world.pass(60_000)
        expect(outcome(yield* fixture.send(attacker, attacker, "10", { pair: "EUR/USD", quote_id: quote.id }))).toEqual(
          [409, "conflict"]
        )
      })
    ))

  it("by using a quote twice, for another size or pair, or another's", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker, friend) {
        const { id } = yield* held(fixture, attacker)
        const use = (from: string, quantity: string, change: Readonly<Record<string, unknown>> = {}) =>
          Effect.map(fixture.send(from, friend, quantity, { pair: "EUR/USD", quote_id: id, ...change }), outcome)
        expect(yield* use(attacker, "10.000001")).toEqual([422, "unprocessable"])
        expect(yield* use(attacker, "1000")).toEqual([422, "unprocessable"])
        expect(yield* use(attacker, "10", { pair: "USD/EUR" })).toEqual([422, "unprocessable"])
        expect(yield* use(attacker, "10", { pair: "GBP/USD" })).toEqual([422, "unprocessable"])
        expect(yield* use(friend, "10", { to: attacker })).toEqual([404, "not_found"])
        expect(yield* use(attacker, "10", { id: "first" })).toEqual([200, undefined])
        expect(yield* use(attacker, "10")).toEqual([409, "conflict"])
        expect(yield* use(attacker, "10", { id: "second" })).toEqual([409, "conflict"])
        expect(yield* use(attacker, "10", { id: "first" })).toEqual([200, undefined])
      })
    ))

  it("by reversing the pair for a round trip, over any assets and sizes", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker) {
        const trip = fc.record({
          assets: fc.shuffledSubarray(["USD", "EUR", "JPY", "BTC"], { minLength: 2, maxLength: 4 }),
          quantity: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 900_000 }))
        })
        const run = Effect.runPromiseWith(yield* Effect.context<never>())
        const around = (assets: ReadonlyArray<string>, quantity: number) =>
          Effect.gen(function* () {
            const before = yield* fixture.wealth(attacker)
            let units = BigInt(quantity)
            for (const [index, base] of assets.entries()) {
              const quote = assets[(index + 1) % assets.length]
              const text = (Number(units) / 1e6).toFixed(6)
              const { json, status } = yield* fixture.send(attacker, attacker, text, {
                pair: `${base}/${quote}`,
                mode: "international"
              })
              if (status !== 200) break
              const { json: made } = yield* fixture.server.get<{ readonly received: string }>(
                `/v1/transfers/${json.id}`,
                attacker
              )
              units = BigInt(Math.round(Number(made.received) * 1e6))
            }
            expect((yield* fixture.wealth(attacker)) <= before).toBe(true)
          })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(trip, ({ assets, quantity }) => run(around(assets, quantity))),
            { numRuns: Math.min(runs(), 40) }
          )
        )
      })
    ))

  it("by dust that rounds to zero, or up", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker) {
        const nothing = yield* fixture.send(attacker, attacker, "0.000001", { pair: "JPY/USD", mode: "international" })
        expect(outcome(nothing)).toEqual([422, "unprocessable"])
        expect(nothing.json.message).toContain("send at least 0.0000")
        for (const quantity of ["0.000001", "0.000092", "0.000093", "0.00011", "0.000183"]) {
          yield* fixture.send(attacker, attacker, quantity, { pair: "EUR/USD", mode: "international" })
          yield* fixture.send(attacker, attacker, quantity, { pair: "USD/EUR", mode: "international" })
          yield* fixture.send(attacker, attacker, quantity, { pair: "JPY/USD", mode: "international" })
        }
      })
    ))

  it("by replaying ids and keys", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker, friend) {
        const send = (key: string, id: string) =>
          fixture.send(attacker, friend, "10", { pair: "EUR/USD", mode: "international", id }, { key })
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, (_, index) => send(`key-${index}`, "again")),
          { concurrency: "unbounded" }
        )
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        yield* send("key-0", "again")
        expect(yield* fixture.balance(attacker, "EUR")).toBe(9_990_000_000n)
      })
    ))

  it("by a price that is stale or missing, or that a breaker doubts", () =>
    gainsNothing(
      Effect.fnUntraced(function* (fixture, attacker) {
        const quote = yield* held(fixture, attacker)
        fixture.world.prices.delete("EUR/USD")
        const unavailable = [503, "unavailable"] as const
        const pair = { pair: "EUR/USD" }
        expect(outcome(yield* fixture.send(attacker, attacker, "10", { ...pair, mode: "international" }))).toEqual(
          unavailable
        )
        expect(outcome(yield* fixture.send(attacker, attacker, "10", { ...pair, quote_id: quote.id }))).toEqual(
          unavailable
        )
        expect(outcome(yield* fixture.quote(attacker, EUR_USD))).toEqual(unavailable)
        expect((yield* fixture.send(attacker, attacker, "10", { pair: "USD/JPY", mode: "international" })).status).toBe(
          200
        )
      })
    ))
})

describe("The ledger of all of this", () => {
  it("adds up, and is what the journal makes of it", () =>
    Effect.gen(function* () {
      const { isBalanced, server } = yield* Money
      expect(yield* isBalanced).toBe(true)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
