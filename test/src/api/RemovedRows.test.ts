import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { MedianRepository } from "../../../src/arena/MedianRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { kycFacts } from "../../lib/rows/KycRows.ts"
import type { Answer } from "../../lib/Requests.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { makeDelivery, NEW_WEBHOOK } from "../../lib/WebhookFixture.ts"

class Server extends Context.Service<Server, TestServer>()("test/RemovedRows/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

/** A list of at least three rows, and a statement that removes one as its users or its retention do. */
interface Removable {
  readonly path: string
  readonly as: string
  /** In the order of the list. */
  readonly ids: ReadonlyArray<string>
  readonly removing: string
}

const MINUTE = 60_000

const thrice = <A>(make: (index: number) => Effect.Effect<A>) => Effect.forEach([0, 1, 2], make)

const idsOf = (server: TestServer, path: string, as: string) =>
  Effect.map(server.get<ReadonlyArray<{ readonly id: string }>>(path, as), ({ json }) => json.map(({ id }) => id))

const LISTS: Readonly<Record<string, (server: TestServer) => Effect.Effect<Removable>>> = {
  "price lists": (server) =>
    Effect.gen(function* () {
      const path = "/v1/commerce/price-lists?"
      const [{ id: as }, { companyId }] = [yield* server.user(), yield* server.user()]
      const list = { customer_company_id: companyId, name: "Wholesale", prices: [] }
      yield* thrice(() => server.post(path, list, { as }))
      return { path, as, ids: yield* idsOf(server, path, as), removing: "DELETE FROM price_lists WHERE id" }
    }),
  deliveries: (server) =>
    Effect.gen(function* () {
      const { companyId, id: as } = yield* server.user()
      const { json } = yield* server.post<{ readonly id: string }>("/v1/webhooks", NEW_WEBHOOK, { as })
      const path = `/v1/webhooks/${json.id}/deliveries?`
      yield* thrice(() => makeDelivery(server, companyId, json.id, { status: "delivered", attempts: [] }))
      return { path, as, ids: yield* idsOf(server, path, as), removing: "DELETE FROM webhook_deliveries WHERE id" }
    }),
  "KYC records": (server) =>
    Effect.gen(function* () {
      const as = yield* server.admin
      yield* thrice(() => Effect.flatMap(server.user(), ({ id }) => server.post("/v1/kyc", kycFacts, { as: id })))
      const ids = yield* idsOf(server, "/v1/kyc", as)
      return { path: "/v1/kyc?", as, ids, removing: "DELETE FROM kyc_records WHERE id" }
    }),
  beneficiaries: (server) =>
    Effect.gen(function* () {
      const [{ id: owner }, as] = [yield* server.user(), yield* server.admin]
      const path = `/v1/transfers/to?owner=${owner}&`
      yield* thrice((index) =>
        server.post(
          "/v1/transfers/to",
          { accountName: "A. Payee", accountNumber: `00012345678${index}` },
          { as: owner }
        )
      )
      return { path, as, ids: yield* idsOf(server, path, as), removing: "DELETE FROM beneficiaries WHERE id" }
    }),
  candles: (server) =>
    Effect.gen(function* () {
      const { id: as } = yield* server.user()
      const at = [1, 2, 3].map((minute) => minute * MINUTE)
      const medians = at.map((one) => ({ asset: "A/USD", at: one, price: fromUnits(1n), safe: true, source: "test" }))
      yield* server.run(Effect.flatMap(MedianRepository, ({ insert }) => insert(medians)))
      return {
        path: "/api/arena/candles/A%2FUSD?interval=60&",
        as,
        ids: at.map((one) => new Date(one).toISOString()),
        removing: "DELETE FROM arena_medians WHERE asset = 'A/USD' AND at"
      }
    })
}

type Rows = ReadonlyArray<{ readonly id?: string; readonly at?: string }>

describe("A list goes on behind a row that was removed:", () => {
  for (const [name, make] of Object.entries(LISTS)) {
    it(name, () =>
      Effect.gen(function* () {
        const server = yield* Server
        const { as, ids, path, removing } = yield* make(server)
        expect(ids.length).toBeGreaterThan(2)
        const seen: Array<string> = []
        let next: string | undefined = `${path}limit=1`
        while (next !== undefined) {
          const { headers, json, status }: Answer<Rows | { readonly candles: Rows }> = yield* server.get<
            Rows | { readonly candles: Rows }
          >(next, as)
          expect(status).toBe(200)
          const rows = "candles" in json ? json.candles : json
          seen.push(...rows.flatMap(({ at, id }) => id ?? at ?? []))
          const last = seen.at(-1) ?? ""
          const value = "candles" in json ? Date.parse(last) : last
          yield* server.run(
            Effect.flatMap(SqlClient, (sql) => sql.unsafe(`${removing}::text = $1`, [String(value)])).pipe(Effect.orDie)
          )
          next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1]
        }
        expect(seen).toEqual([...ids])
      })
    )
  }
})
