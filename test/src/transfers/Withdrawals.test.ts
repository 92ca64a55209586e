import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { withLayer } from "../../lib/Effects.ts"
import { Money, outcome } from "../../lib/MoneyFixture.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const it = withLayer(Money.layer())

describe("POST /v1/withdraw", () => {
  it("takes out of the fund that is named, else that of USD", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { server } = fixture
      const ada = yield* fixture.owner({ USD: "10", EUR: "10" })
      const { json: funds } = yield* server.get<ReadonlyArray<{ readonly id: string; readonly type: string }>>(
        "/v1/funds",
        ada
      )
      const [usd, eur] = ["USD", "EUR"].map((type) => funds.find((fund) => fund.type === type)?.id ?? "")
      const first = yield* server.post("/v1/withdraw", { quantity: "2.50" }, { as: ada })
      expect([first.status, first.text]).toEqual([200, JSON.stringify({ quantity: "2.5", id: usd })])
      yield* server.post("/v1/withdraw", { quantity: "10", id: eur }, { as: ada })
      expect([yield* fixture.balance(ada, "USD"), yield* fixture.balance(ada, "EUR")]).toEqual([7_500_000n, 0n])
      const { json } = yield* server.get("/v1/withdraw", ada)
      expect(json).toMatchObject([
        { fund_id: eur, type: "EUR", quantity: "10" },
        { fund_id: usd, type: "USD", quantity: "2.5" }
      ])
    }))

  it("takes what one owns alone, and what nothing holds", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { server } = fixture
      yield* server.tick()
      const [ada, bob] = [yield* fixture.owner({ USD: "1000" }), yield* fixture.owner()]
      const { json: funds } = yield* server.get<ReadonlyArray<{ readonly id: string }>>("/v1/funds", ada)
      const id = funds[0]?.id
      const withdraw = (as: string, body: unknown) => Effect.map(server.post("/v1/withdraw", body, { as }), outcome)
      expect(yield* withdraw(bob, { quantity: "1", id })).toEqual([404, "not_found"])
      expect(yield* withdraw(yield* server.admin, { quantity: "1", id })).toEqual([404, "not_found"])
      expect(yield* withdraw(bob, { quantity: "1" })).toEqual([422, "unprocessable"])
      expect(yield* withdraw(ada, { quantity: "0" })).toEqual([400, "invalid_request"])
      expect(yield* withdraw(ada, { quantity: "1", id: 5 })).toEqual([400, "invalid_request"])
      const { json } = yield* server.get<{ readonly orders: ReadonlyArray<{ order_id: string; entry_price: number }> }>(
        "/api/arena/orders?asset_type=fx",
        ada
      )
      const [order] = json.orders
      const commitment = {
        order_id: order?.order_id,
        proposed_entry_price: order?.entry_price,
        expected_exit_price: Number(((order?.entry_price ?? 0) * 1.05).toFixed(4)),
        quantity: 100
      }
      expect((yield* server.post("/api/arena/commitments", commitment, { as: ada })).status).toBe(200)
      expect(yield* withdraw(ada, { quantity: "1000" })).toEqual([422, "unprocessable"])
      const { json: fund } = yield* server.get<{ readonly available: string }>(`/v1/funds/${id}`, ada)
      expect(yield* withdraw(ada, { quantity: fund.available })).toEqual([200, undefined])
      expect(yield* withdraw(ada, { quantity: "0.000001" })).toEqual([422, "unprocessable"])
    }))

  it("takes exactly what there is when 50 race for it", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const ada = yield* fixture.owner({ USD: "7.5" })
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => fixture.server.post("/v1/withdraw", { quantity: "0.5" }, { as: ada })),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(15)
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(35)
      expect(yield* fixture.balance(ada, "USD")).toBe(0n)
    }))

  it("stops with every transfer while the ledger is in doubt", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { server, world } = fixture
      const [ada, bob] = [yield* fixture.owner({ USD: "10" }), yield* fixture.owner()]
      expect(yield* fixture.isBalanced).toBe(true)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      const breakers = server.service(Breakers)
      yield* server.run(breakers.trip([{ scope: "global", reason: "ledger_imbalance" }], world.now))
      const unavailable = [503, "unavailable"] as const
      expect(outcome(yield* server.post("/v1/withdraw", { quantity: "1" }, { as: ada }))).toEqual(unavailable)
      expect(outcome(yield* fixture.send(ada, bob, "1"))).toEqual(unavailable)
      yield* server.run(breakers.reset("global", world.now))
      expect((yield* fixture.send(ada, bob, "1")).status).toBe(200)
    }))
})
