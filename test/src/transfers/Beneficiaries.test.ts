import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MAX_BENEFICIARIES } from "../../../src/transfers/Beneficiaries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { Money, type MoneyFixture, outcome } from "../../lib/MoneyFixture.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const it = withLayer(Money.layer())

const ANNA = { accountName: "Anna Peeters", accountNumber: "BE68 5390 0754 7034" }

interface Answered {
  readonly id: string
  readonly accountName: string
  readonly accountNumber: string
}

const load = (fixture: MoneyFixture, as: string, body: Readonly<Record<string, unknown>> = ANNA) =>
  fixture.server.post<Answered>("/v1/transfers/to", body, { as })

const listed = (fixture: MoneyFixture, as: string, query = "") =>
  Effect.map(fixture.server.get<ReadonlyArray<Answered>>(`/v1/transfers/to${query}`, as), ({ json }) => json)

describe("A beneficiary", () => {
  it("is answered whole, and the same account again is the same one", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const ada = yield* fixture.owner()
      const { json } = yield* load(fixture, ada, { ...ANNA, bankId: "BBRUBEBB" })
      expect(json).toMatchObject({
        accountName: "Anna Peeters",
        accountNumber: "BE68539007547034",
        country: "BE"
      } as never)
      const again = yield* load(fixture, ada, { ...ANNA, accountName: "Anna P.", bankId: "BBRUBEBB" })
      expect(again.json).toMatchObject({ id: json.id, accountName: "Anna P." })
      expect(yield* listed(fixture, ada)).toHaveLength(1)
      const bob = yield* fixture.owner()
      expect((yield* load(fixture, bob, { ...ANNA, bankId: "BBRUBEBB" })).json.id).not.toBe(json.id)
    }))

  it("keeps its number encrypted, in no table in the open", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const ada = yield* fixture.owner()
      const { json } = yield* fixture.server.post<Answered>("/v1/transfers/to", ANNA, { as: ada, key: "kept" })
      const found = yield* fixture.server.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const [row] = yield* sql<{ readonly text: string }>`
            SELECT beneficiaries::text || encode(number_box, 'escape') AS text FROM beneficiaries WHERE id = ${json.id}`
          const kept = yield* sql`SELECT 1 FROM idempotency_keys WHERE body LIKE '%BE6853%'`
          return { text: row?.text ?? "BE68539007547034", kept: kept.length }
        })
      )
      expect(found.text).not.toContain("539007547034")
      expect(found.text).toContain("7034")
      expect(found.kept).toBe(0)
    }))

  it("is its owner's, and an administrator's to read", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "10" }), yield* fixture.owner({ USD: "10" })]
      const { json } = yield* load(fixture, ada)
      expect(yield* listed(fixture, bob)).toEqual([])
      expect(outcome(yield* fixture.server.get(`/v1/transfers/to?owner=${ada}`, bob))).toEqual([403, "access_denied"])
      expect(yield* listed(fixture, yield* fixture.server.admin, `?owner=${ada}`)).toMatchObject([{ id: json.id }])
      expect(outcome(yield* fixture.send(bob, json.id, "1"))).toEqual([404, "not_found"])
      const remove = (as: string) => fixture.server.request("DELETE", `/v1/transfers/to/${json.id}`, undefined, { as })
      expect(outcome(yield* remove(bob))).toEqual([404, "not_found"])
      expect((yield* remove(ada)).json).toEqual({ id: json.id, deleted: true })
      expect(outcome(yield* remove(ada))).toEqual([404, "not_found"])
      expect(outcome(yield* fixture.send(ada, json.id, "1"))).toEqual([404, "not_found"])
      expect((yield* load(fixture, ada)).json.id).toBe(json.id)
    }))

  it("gets money, which leaves for the world outside", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const ada = yield* fixture.owner({ EUR: "100" })
      const { json } = yield* load(fixture, ada)
      const outside = yield* fixture.balance("platform", "EUR", "custody")
      expect((yield* fixture.send(ada, json.id, "40", { pair: "EUR/EUR" })).status).toBe(200)
      expect((yield* fixture.balance("platform", "EUR", "custody")) - outside).toBe(40_000_000n)
      expect((yield* fixture.send(ada, json.id, "10", { pair: "EUR/USD", fxQuote: 1 })).status).toBe(200)
      expect(outcome(yield* fixture.send(ada, json.id, "50.1", { pair: "EUR/EUR" }))).toEqual([422, "unprocessable"])
      expect(yield* fixture.isBalanced).toBe(true)
      expect(yield* replayFindings(fixture.server)).toEqual(NO_FINDINGS)
    }))

  it("is refused where its numbers cannot be right, and beyond so many", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const ada = yield* fixture.owner()
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, unknown>>, string]> = [
        [{ ...ANNA, accountNumber: "BE68 5390 0754 7035" }, "payload.accountNumber"],
        [{ ...ANNA, accountNumber: "" }, "payload.accountNumber"],
        [{ ...ANNA, accountNumber: 1 }, "payload.accountNumber"],
        [{ accountNumber: ANNA.accountNumber }, "payload.accountName"],
        [{ ...ANNA, country: "NL" }, "payload.country"],
        [{ ...ANNA, country: "Atlantis" }, "payload.country"],
        [{ ...ANNA, bankId: "BBRUZZBB" }, "payload.bankId"]
      ]
      for (const [body, field] of wrong) {
        const { json, status } = yield* fixture.server.post<{ readonly message: string }>("/v1/transfers/to", body, {
          as: ada
        })
        expect([body, status, json.message.slice(0, field.length)]).toEqual([body, 400, field])
      }
      const numbers = Array.from({ length: MAX_BENEFICIARIES }, (_, index) => `1000${index}`)
      yield* Effect.forEach(numbers, (accountNumber) => load(fixture, ada, { ...ANNA, accountNumber }), {
        concurrency: 20
      })
      expect(outcome(yield* load(fixture, ada))).toEqual([422, "unprocessable"])
      expect((yield* load(fixture, ada, { ...ANNA, accountNumber: "10000" })).status).toBe(200)
    }))
})
