import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ArenaAgent } from "../../../src/arena/ArenaAgent.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

/** Makes the database refuse new orders for fx as a server that shuts down would. */
const REFUSAL = [
  `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN RAISE EXCEPTION 'the database system is shutting down' USING ERRCODE = '57P03'; END $$`,
  `CREATE TRIGGER refuse BEFORE INSERT ON journal FOR EACH ROW WHEN (NEW.body LIKE '%"assetType":"fx"%') EXECUTE FUNCTION refuse()`
]

describe("DueOrders", () => {
  itLive("settles an order that was made in a round whose rest failed", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const sql = server.service(SqlClient)
      const statuses = sql<{ asset_type: string; status: string }>`
        SELECT asset_type, status FROM arena_orders ORDER BY asset_type`

      for (const statement of REFUSAL) yield* sql.unsafe(statement)
      const failed = yield* server.run(Effect.flatMap(ArenaAgent, ({ tick }) => Effect.flip(tick)))
      expect(failed._tag).toBe("Unavailable")
      expect([...(yield* statuses)]).toEqual([{ asset_type: "commodity", status: "open" }])

      yield* sql`DROP TRIGGER refuse ON journal`
      yield* server.tick(1_000)
      expect((yield* statuses).map(({ asset_type }) => asset_type)).toEqual(["commodity", "fx", "gpu", "options"])
      yield* server.tick(901_000)
      expect((yield* statuses).filter(({ status }) => status === "settled")).toHaveLength(4)
    })
  )
})
