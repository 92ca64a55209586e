import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AgentActivity } from "../../../src/arena/AgentActivity.ts"
import { ArenaAgent } from "../../../src/arena/ArenaAgent.ts"
import { OrderRepository } from "../../../src/arena/OrderRepository.ts"
import { itLive } from "../../lib/Effects.ts"
import { SHORT_SLOTS } from "../../lib/OpenedArena.ts"
import { TestServer } from "../../lib/TestServer.ts"

/** Makes the database refuse new orders for fx as a server that shuts down would. */
const REFUSAL = [
  `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN RAISE EXCEPTION 'the database system is shutting down' USING ERRCODE = '57P03'; END $$`,
  `CREATE TRIGGER refuse BEFORE INSERT ON journal FOR EACH ROW WHEN (NEW.body LIKE '%"assetType":"fx"%') EXECUTE FUNCTION refuse()`
]

const listed = (server: TestServer) =>
  Effect.map(
    Effect.orDie(
      server.service(OrderRepository).list({ assetType: undefined, status: undefined, limit: 100, offset: 0 })
    ),
    ({ orders }) => orders
  )

describe("ArenaAgent", () => {
  itLive("makes one order of each asset type a slot, also after a restart", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make(SHORT_SLOTS)
      yield* server.tick()
      yield* server.tick(1_000)
      yield* server.restart()
      yield* server.tick(1_000)
      const first = yield* listed(server)
      expect(first.map(({ assetType }) => assetType).toSorted()).toEqual(["commodity", "fx", "gpu", "options"])
      expect(new Set(first.map(({ expiryAt, openedAt }) => expiryAt - openedAt))).toEqual(new Set([90_000]))
      yield* server.tick(58_000)
      expect((yield* listed(server)).length).toBe(8)
    })
  )

  itLive("makes no order of a slot that it missed", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make(SHORT_SLOTS)
      yield* server.tick()
      yield* server.tick(600_000)
      expect((yield* listed(server)).length).toBe(8)
    })
  )

  itLive("skips what has no safe price, tells it once a slot, and makes it up within the slot", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make(SHORT_SLOTS)
      const { prices } = server.world
      const gpus = [...prices].filter(([asset]) => !asset.includes("/") && asset.length > 3)
      for (const [asset] of gpus) prices.delete(asset)
      yield* server.tick()
      yield* server.tick(1_000)
      expect((yield* listed(server)).map(({ assetType }) => assetType).toSorted()).toEqual([
        "commodity",
        "fx",
        "options"
      ])
      expect(server.service(AgentActivity).skipped()).toBe(1)
    })
  )

  itLive("closes and settles what is due", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make(SHORT_SLOTS)
      yield* server.tick()
      yield* server.tick(89_999)
      const isSettled = Effect.map(
        listed(server),
        (orders) => orders.filter(({ status }) => status === "settled").length
      )
      expect(yield* isSettled).toBe(0)
      yield* server.tick(1)
      expect(yield* isSettled).toBe(4)
    })
  )

  itLive("makes no order without the maker's capital, which production waits for", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        ...SHORT_SLOTS,
        APP_MODE: "production",
        ADMIN_EMAIL: "admin@example.com",
        PUBLIC_URL: "https://example.com"
      })
      yield* server.tick()
      expect(yield* listed(server)).toEqual([])
      expect(server.service(AgentActivity).skipped()).toBe(4)
    })
  )

  itLive("runs by itself when told to", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make(SHORT_SLOTS)
      const opened = Effect.flatMap(listed(server), (orders) =>
        orders.length === 4 ? Effect.void : Effect.fail("none")
      )
      yield* Effect.scoped(
        Effect.andThen(Layer.build(ArenaAgent.running), Effect.eventually(opened)).pipe(Effect.asVoid)
      ).pipe((running) => server.run(running))
      expect(server.service(AgentActivity).isRunning()).toBe(true)
    })
  )

  itLive("settles an order that was made in a round whose rest failed", () =>
    Effect.gen(function* () {
      // However much time passes until the writer gives up, it is the same slot.
      const server = yield* TestServer.make({ ARENA_SLOT_SECONDS: "86400" })
      const sql = server.service(SqlClient)
      const statuses = sql<{ asset_type: string; status: string }>`
        SELECT asset_type, status FROM arena_orders ORDER BY asset_type`

      for (const statement of REFUSAL) yield* sql.unsafe(statement)
      const failing = yield* Effect.forkChild(server.run(Effect.flatMap(ArenaAgent, ({ tick }) => Effect.flip(tick))))
      // For as long as the writer sends it again.
      while (failing.pollUnsafe() === undefined) {
        yield* statuses
        server.world.pass(100)
      }
      expect((yield* Fiber.join(failing))._tag).toBe("Unavailable")
      expect([...(yield* statuses)]).toEqual([{ asset_type: "commodity", status: "open" }])

      yield* sql`DROP TRIGGER refuse ON journal`
      yield* server.tick(1_000)
      expect((yield* statuses).map(({ asset_type }) => asset_type)).toEqual(["commodity", "fx", "gpu", "options"])
      yield* server.tick(901_000)
      expect((yield* statuses).filter(({ status }) => status === "settled")).toHaveLength(4)
    })
  )
})
