import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { format } from "../../../engine/money/Rate.ts"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { ExchangeDesk } from "../../../src/transfers/ExchangeDesk.ts"
import { itEffect } from "../../lib/Effects.ts"
import { MoneyFixture, outcome } from "../../lib/MoneyFixture.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const SECRET = "production".padEnd(32, "x")

describe("The exchange desk", () => {
  itEffect("has the sandbox's capital once, and exchanges at the oracles' prices of a unit", () =>
    Effect.gen(function* () {
      const fixture = yield* MoneyFixture.make()
      const { server } = fixture
      const admin = yield* server.admin
      const pair = (base: string, quote: string) =>
        server.run(Effect.flatMap(ExchangeDesk, ({ pricesOf }) => pricesOf({ base, quote })))
      expect(format((yield* pair("JPY", "USD")).base)).toBe("0.01095")
      expect(format((yield* pair("XAU", "USD")).base)).toBe("4000")
      expect((yield* pair("BTC", "EUR")).spread > (yield* pair("EUR", "USD")).spread).toBe(true)
      const before = (yield* server.get<ReadonlyArray<unknown>>("/v1/fx/desk", admin)).json
      expect(before.slice(0, 2)).toEqual([
        { type: "USD", symbol: "10000000" },
        { type: "EUR", symbol: "10000000" }
      ])
      yield* server.restart()
      expect((yield* server.get("/v1/fx/desk", admin)).json).toEqual(before)
      const ada = yield* fixture.owner()
      expect(outcome(yield* server.get("/v1/fx/desk", ada))).toEqual([403, "access_denied"])

      yield* server.run(
        Effect.flatMap(Breakers, ({ trip }) => trip([{ scope: "fx", reason: "price_outside_band" }], fixture.world.now))
      )
      expect(outcome(yield* fixture.quote(ada, { pair: "EUR/USD", quantity: 1 }))).toEqual([503, "unavailable"])
      expect((yield* fixture.quote(ada, { pair: "XAU/USD", quantity: 1 })).status).toBe(200)
    })
  )

  itEffect("pays out what it has and no more; an administrator adds to it, once for a reference", () =>
    Effect.gen(function* () {
      const fixture = yield* MoneyFixture.make()
      const { server } = fixture
      const admin = yield* server.admin
      const whale = yield* fixture.owner({ USD: "200000000" })
      const all = { pair: "USD/EUR", mode: "international" }
      const refused = yield* fixture.send(whale, whale, "20000000", all)
      expect([...outcome(refused), refused.json.message]).toEqual([
        503,
        "unavailable",
        "The desk has too little EUR now."
      ])
      expect(yield* fixture.balance(whale, "USD")).toBe(200_000_000_000_000n)
      const funding = { type: "EUR", symbol: "90000000", external_reference: "wire-1" }
      expect((yield* server.post("/v1/fx/desk", funding, { as: admin })).json).toEqual({
        type: "EUR",
        symbol: "100000000"
      })
      expect(outcome(yield* server.post("/v1/fx/desk", funding, { as: admin }))).toEqual([409, "conflict"])
      expect(outcome(yield* server.post("/v1/fx/desk", funding, { as: whale }))).toEqual([403, "access_denied"])
      expect((yield* fixture.send(whale, whale, "20000000", all)).status).toBe(200)
      expect(yield* fixture.isBalanced).toBe(true)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    })
  )

  itEffect("starts with nothing in production", () =>
    Effect.gen(function* () {
      const fixture = yield* MoneyFixture.make({
        APP_MODE: "production",
        SECRET_KEY: "ab".repeat(32),
        PUBLIC_URL: "https://emporion.example",
        ADMIN_EMAIL: "admin@example.com",
        ADMIN_PASSWORD: SECRET
      })
      const { json } = yield* fixture.server.get<ReadonlyArray<{ readonly symbol: string }>>(
        "/v1/fx/desk",
        yield* fixture.server.admin
      )
      expect(json.every(({ symbol }) => symbol === "0")).toBe(true)
    })
  )
})
