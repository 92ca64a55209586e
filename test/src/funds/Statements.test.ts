import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../lib/Effects.ts"
import { Money, type MoneyFixture, outcome } from "../../lib/MoneyFixture.ts"

const it = withLayer(Money.layer())

interface Entry {
  readonly quantity: string
  readonly balance: string
  readonly purpose: string
  readonly counterparty: string
  readonly counterparty_id: string | null
  readonly reference: string
}

const units = (text: string): bigint => BigInt(Math.round(Number(text) * 1e6))

const fundOf = (fixture: MoneyFixture, owner: string) =>
  Effect.map(
    fixture.server.get<ReadonlyArray<{ readonly id: string; readonly symbol: string; readonly type: string }>>(
      "/v1/funds",
      owner
    ),
    ({ json }) => json.find(({ type }) => type === "USD") ?? { id: "", symbol: "" }
  )

/** An owner with a few postings of each kind. */
const busy = Effect.fnUntraced(function* (fixture: MoneyFixture) {
  const [ada, bob] = [yield* fixture.owner({ USD: "1000" }), yield* fixture.owner({ USD: "50" })]
  for (let turn = 1; turn <= 6; turn += 1) {
    yield* fixture.send(ada, bob, `${turn}.25`, { id: `out-${turn}` })
    yield* fixture.send(bob, ada, `${turn}`, { id: `in-${turn}` })
    yield* fixture.send(ada, ada, `${turn}`, { pair: "USD/EUR", mode: "international" })
    yield* fixture.server.post("/v1/withdraw", { quantity: `0.${turn}` }, { as: ada })
  }
  return { ada, bob, fund: yield* fundOf(fixture, ada) }
})

describe("GET /v1/funds/{id}/entries", () => {
  it("tells each posting with the balance after it, whatever the page", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { ada, bob, fund } = yield* busy(fixture)
      const page = (query: string) =>
        Effect.map(
          fixture.server.get<ReadonlyArray<Entry>>(`/v1/funds/${fund.id}/entries${query}`, ada),
          ({ headers, json }) => ({
            total: Number(headers.get("x-total-count")),
            entries: json
          })
        )
      const { entries, total } = yield* page("?limit=100")
      expect(total).toBe(25)
      expect(entries).toHaveLength(25)
      expect(entries[0]?.balance).toBe(fund.symbol)
      expect(entries.at(-1)).toMatchObject({
        purpose: "mint",
        counterparty: "outside",
        quantity: "1000",
        balance: "1000"
      })
      for (const [index, { balance, quantity }] of entries.entries()) {
        expect(units(balance) - units(quantity)).toBe(units(entries[index + 1]?.balance ?? "0"))
      }
      const paged = [0, 7, 14, 21].map((offset) => page(`?limit=7&offset=${offset}`))
      expect((yield* Effect.all(paged)).flatMap((one) => one.entries)).toEqual([...entries])
      expect(entries.find(({ reference }) => reference === "out-3")).toMatchObject({
        quantity: "-3.25",
        purpose: "transfer",
        counterparty: "owner",
        counterparty_id: bob
      })
      expect(entries.filter(({ counterparty }) => counterparty === "fx_desk")).toHaveLength(6)
    }))

  it("is CSV where that is asked for", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const { ada, fund } = yield* busy(fixture)
      const path = `/v1/funds/${fund.id}/entries`
      const byQuery = yield* fixture.server.get(`${path}?format=csv`, ada)
      const byHeader = yield* fixture.server.request("GET", path, undefined, {
        as: ada,
        headers: { accept: "text/csv" }
      })
      expect(byQuery.headers.get("content-type")).toStartWith("text/csv")
      expect(byQuery.headers.get("x-total-count")).toBe("25")
      expect(byHeader.text).toBe(byQuery.text)
      expect(byQuery.text.trimEnd().split("\r\n")).toHaveLength(26)
      expect(
        (yield* fixture.server.get(`${path}?format=csv&offset=24`, ada)).text.trimEnd().split("\r\n")
      ).toHaveLength(2)
      const json = yield* fixture.server.request("GET", `${path}?format=json`, undefined, {
        as: ada,
        headers: { accept: "text/csv" }
      })
      expect(json.headers.get("content-type")).toStartWith("application/json")
    }))

  it("is its owner's, and an administrator's", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "5" }), yield* fixture.owner()]
      const path = `/v1/funds/${(yield* fundOf(fixture, ada)).id}/entries`
      expect(outcome(yield* fixture.server.get(path, bob))).toEqual([404, "not_found"])
      expect((yield* fixture.server.get(path, yield* fixture.server.admin)).json).toHaveLength(1)
      expect(outcome(yield* fixture.server.get(`${path}?format=xml`, ada))).toEqual([400, "invalid_request"])
      expect(outcome(yield* fixture.server.get(`${path}?limit=101`, ada))).toEqual([400, "invalid_request"])
    }))
})
