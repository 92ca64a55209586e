import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../../lib/Effects.ts"
import { rowsOf } from "../../../lib/PlantedPerson.ts"
import { TestServer } from "../../../lib/TestServer.ts"

describe("A kept answer with sealed texts", () => {
  itLive("is sent to a retry as it was sent first", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const as = yield* server.admin
      const company = { name: "Made once", email: "once@planted.example", phone: "+32 2 111 22 33" }
      const send = server.post("/v1/companies", company, { as, key: "once" })
      const first = yield* send
      expect([first.status, first.json]).toMatchObject([200, company])
      const retried = yield* send
      expect([retried.text, retried.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
      expect(yield* server.run(rowsOf)).not.toContain(company.email)
    })
  )
})
