import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { withLayer } from "../../lib/Effects.ts"
import { Money, outcome, particulars, transferBody } from "../../lib/MoneyFixture.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const it = withLayer(Money.layer())

interface Listed {
  readonly id: string
  readonly symbol: string
  readonly type: string
}

describe("POST /v1/transfers", () => {
  it("moves money as it is, into a fund that is there from then on", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "100" }), yield* fixture.owner()]
      const sent = yield* fixture.send(ada, bob, "12.5", { id: "rent-1" })
      expect([sent.status, sent.text]).toEqual([
        200,
        JSON.stringify({ to: bob, from: ada, quantity: "12.5", id: "rent-1" })
      ])
      expect((yield* fixture.server.get<ReadonlyArray<Listed>>("/v1/funds", bob)).json).toMatchObject([
        { type: "USD", symbol: "12.5" }
      ])
      expect(yield* fixture.balance(ada, "USD")).toBe(87_500_000n)
    }))

  it("sells the base on the way at the desk's rate, whatever the caller's is", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ EUR: "100" }), yield* fixture.owner()]
      const sent = yield* fixture.send(ada, bob, "10", { pair: "EUR/USD", fxQuote: 0.000001 })
      const { json } = yield* fixture.server.get(`/v1/transfers/${sent.json.id}`, ada)
      // 1.095 less a thousandth.
      expect(json).toEqual({
        pair: "EUR/USD",
        quantity: "10",
        from: ada,
        to: bob,
        ...particulars,
        id: sent.json.id,
        fxQuote: 0.000001,
        mode: "international",
        direction: "sent",
        rate: 1.093905,
        taken: "10",
        taken_type: "EUR",
        received: "10.93905",
        received_type: "USD",
        quote_id: null,
        metadata: {},
        created_at: isoUtc(fixture.world.now)
      } as never)
    }))

  it("answers a repeated id the same, whatever has changed, and refuses it for anything else", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob, cyd] = [
        yield* fixture.owner({ USD: "10" }),
        yield* fixture.owner(),
        yield* fixture.owner({ USD: "10" })
      ]
      const first = yield* fixture.send(ada, bob, "10", { id: "once" })
      const again = yield* fixture.send(ada, bob, "10", { id: "once" })
      expect([again.status, again.text]).toEqual([first.status, first.text])
      expect(yield* fixture.balance(bob, "USD")).toBe(10_000_000n)
      for (const change of [
        { quantity: "9" },
        { to: cyd },
        { pair: "USD/EUR" },
        { description: "x" },
        { fxQuote: 1 }
      ]) {
        expect(outcome(yield* fixture.send(ada, bob, "10", { id: "once", ...change }))).toEqual([409, "conflict"])
      }
      expect((yield* fixture.send(cyd, bob, "10", { id: "once" })).status).toBe(200)
      const made = yield* fixture.send(bob, ada, "1")
      expect((yield* fixture.send(bob, ada, "1", { id: made.json.id })).text).toBe(made.text)
      expect(outcome(yield* fixture.send(bob, ada, "1", { id: "trf_mine" }))).toEqual([422, "unprocessable"])
      expect(outcome(yield* fixture.send(bob, ada, "2", { id: made.json.id }))).toEqual([409, "conflict"])
    }))

  it("replays the answer of an Idempotency-Key, written with the money", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "10" }), yield* fixture.owner()]
      const first = yield* fixture.send(ada, bob, "10", {}, { key: "k" })
      const again = yield* fixture.send(ada, bob, "10", {}, { key: "k" })
      expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
      expect(outcome(yield* fixture.send(ada, bob, "9", {}, { key: "k" }))).toEqual([422, "unprocessable"])
      const out = yield* fixture.server.post("/v1/withdraw", { quantity: "4" }, { as: bob, key: "w" })
      const replayed = yield* fixture.server.post("/v1/withdraw", { quantity: "4" }, { as: bob, key: "w" })
      expect([replayed.text, yield* fixture.balance(bob, "USD")]).toEqual([out.text, 6_000_000n])
    }))

  it("refuses what cannot be, naming the field", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "10", EUR: "10" }), yield* fixture.owner()]
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, unknown>>, number, string]> = [
        ...["0", "-1", "1e3", "0.0000001", "8000000001", " 1", 5, null].map(
          (quantity) => [{ quantity }, 400, "payload.quantity"] as const
        ),
        ...["USD", "USD EUR", "USD/ZZZ", "USD/EUR/GBP", 1].map((pair) => [{ pair }, 400, "payload.pair"] as const),
        ...[-1, 1e11, "1"].map((fxQuote) => [{ fxQuote }, 400, "payload.fxQuote"] as const),
        ...["a b", "to", "a".repeat(65), 1].map((id) => [{ id }, 400, "payload.id"] as const),
        ...[1.5, "1", 2_147_483_648].map((createdDate) => [{ createdDate }, 400, "payload.createdDate"] as const),
        [{ mode: "abroad" }, 400, "payload.mode"],
        [{ country: "" }, 400, "payload.country"],
        [{ description: undefined }, 400, "payload.description"],
        [{ to: ada }, 422, "payload.to"],
        [{ mode: "international" }, 422, "payload.pair"],
        [{ mode: "local", quote_id: "fxq_1" }, 422, "payload.quote_id"],
        [{ quantity: "10.000001" }, 422, "10.000001 USD are needed and 10 available"],
        [{ to: "usr_nobody" }, 404, "There is no user"],
        [{ to: "ben_nobody" }, 404, "There is no user"],
        [{ pair: "EUR/USD", quote_id: "fxq_nobody" }, 404, "There is no held rate"],
        [{ from: bob }, 403, "Only its owner"]
      ]
      for (const [change, status, message] of wrong) {
        const answer = yield* fixture.server.post<{ readonly message: string }>(
          "/v1/transfers",
          transferBody(ada, bob, "1", change),
          { as: ada }
        )
        expect([change, answer.status, answer.json.message.slice(0, message.length)]).toEqual([change, status, message])
      }
      expect(yield* fixture.balance(ada, "USD")).toBe(10_000_000n)
    }))

  it("lets verified accounts alone send, and suspended ones not even receive", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { server } = fixture
      const admin = yield* server.admin
      const body = { email: "new@example.com", password: "correct horse battery staple", company_name: "New" }
      const { json: created } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", body)
      yield* server.post("/v1/funds", { owner: created.id, type: "USD", symbol: "10" }, { as: created.id })
      const ada = yield* fixture.owner({ USD: "10" })
      expect(outcome(yield* fixture.send(created.id, ada, "1"))).toEqual([403, "access_denied"])
      expect(outcome(yield* server.post("/v1/withdraw", { quantity: "1" }, { as: created.id }))).toEqual([
        403,
        "access_denied"
      ])
      expect((yield* fixture.send(ada, created.id, "1")).status).toBe(200)
      const bob = yield* fixture.owner()
      yield* server.request("PUT", `/v1/users/${bob}/suspend`, undefined, { as: admin })
      expect(outcome(yield* fixture.send(ada, bob, "1"))).toEqual([422, "unprocessable"])
      expect(outcome(yield* fixture.send(admin, ada, "1", { from: ada }))).toEqual([403, "access_denied"])
    }))
})

describe("GET /v1/transfers", () => {
  it("lists what one sent or received, newest first, and nobody else's", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { server } = fixture
      const [ada, bob, cyd] = [
        yield* fixture.owner({ USD: "10" }),
        yield* fixture.owner(),
        yield* fixture.owner({ USD: "5" })
      ]
      for (const id of ["a", "b", "c"]) yield* fixture.send(ada, bob, "1", { id })
      yield* fixture.send(cyd, bob, "2", { id: "a" })
      const ids = (path: string, as: string) =>
        Effect.map(server.get<ReadonlyArray<{ readonly id: string }>>(path, as), ({ headers, json }) => [
          headers.get("x-total-count"),
          ...json.map(({ id }) => id)
        ])
      expect(yield* ids("/v1/transfers?limit=2", ada)).toEqual(["3", "c", "b"])
      expect(yield* ids("/v1/transfers?direction=sent", bob)).toEqual(["0"])
      expect(yield* ids("/v1/transfers", bob)).toEqual(["4", "a", "c", "b", "a"])
      expect(yield* ids("/v1/transfers?direction=received", bob)).toEqual(["4", "a", "c", "b", "a"])
      expect((yield* server.get("/v1/transfers/a", bob)).json).toMatchObject({ from: cyd, quantity: "2" })
      expect((yield* server.get("/v1/transfers/a", ada)).json).toMatchObject({ from: ada, quantity: "1" })
      expect(outcome(yield* server.get("/v1/transfers/b", cyd))).toEqual([404, "not_found"])
      expect(outcome(yield* server.get(`/v1/transfers?owner=${ada}`, cyd))).toEqual([403, "access_denied"])
      const admin = yield* server.admin
      expect(yield* ids(`/v1/transfers?owner=${ada}`, admin)).toEqual(["3", "c", "b", "a"])
      expect((yield* server.get(`/v1/transfers/b?owner=${ada}`, admin)).status).toBe(200)
    }))

  it("keeps metadata, which its sender alone sees, and by which it lists", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { server } = fixture
      const [ada, bob] = [yield* fixture.owner({ USD: "10" }), yield* fixture.owner()]
      const metadata = { invoice: "7", none: "" }
      const first = yield* fixture.send(ada, bob, "1", { id: "a", metadata })
      expect((yield* fixture.send(ada, bob, "1", { id: "a", metadata: { invoice: "7" } })).text).toBe(first.text)
      expect((yield* fixture.send(ada, bob, "1", { id: "a", metadata: { invoice: "8" } })).status).toBe(409)
      yield* fixture.send(ada, bob, "1", { id: "b" })
      expect((yield* server.get("/v1/transfers/a", ada)).json).toMatchObject({ metadata: { invoice: "7" } })
      expect((yield* server.get("/v1/transfers/a", bob)).json).toMatchObject({ metadata: {} })
      const listed = (as: string) =>
        Effect.map(
          server.get<ReadonlyArray<{ readonly id: string }>>("/v1/transfers?metadata=invoice:7", as),
          ({ json }) => json.map(({ id }) => id)
        )
      expect([yield* listed(ada), yield* listed(bob)]).toEqual([["a"], []])
    }))

  it("is what the journal makes of it", () =>
    Effect.gen(function* () {
      const { isBalanced, server } = yield* Money
      expect(yield* isBalanced).toBe(true)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
