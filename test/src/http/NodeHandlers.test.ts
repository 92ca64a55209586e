import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

describe("The nodes, as administrators see them", () => {
  itLive("are none where a server is alone, and those that are there and gone otherwise", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const admin = yield* server.admin
      const alone = yield* server.get("/v1/nodes", admin)
      expect(alone.status).toBe(200)
      // The tables may still be on their way to what was recorded meanwhile.
      const unprojected = expect.any(Number)
      expect(alone.json).toMatchObject({ nodes: [], writer: null, serving_since: null, unprojected })
      const sql = yield* server.run(SqlClient)
      yield* server.run(sql`CREATE TABLE cluster_runners (address text)`)
      yield* server.run(sql`INSERT INTO cluster_runners VALUES ('10.0.0.8:7100'), ('10.0.0.7:7100')`)
      yield* server.run(
        sql`UPDATE writer_term SET address = '10.0.0.8:7100', serving_since = '2026-01-02T03:04:05Z', term = term + 41`
      )
      const nodeOf = (address: string, writes: boolean) => ({ address, connected_since: null, writes, behind: null })
      const { term } = alone.json as { readonly term: number }
      expect((yield* server.get("/v1/nodes", admin)).json).toEqual({
        nodes: [nodeOf("10.0.0.7:7100", false), nodeOf("10.0.0.8:7100", true)],
        writer: "10.0.0.8:7100",
        serving_since: "2026-01-02T03:04:05.000Z",
        term: term + 41,
        unprojected
      })
      const person = yield* server.user()
      expect((yield* server.get("/v1/nodes", person.id)).status).toBe(403)
      expect((yield* server.get("/v1/nodes")).status).toBe(401)
    })
  )
})
