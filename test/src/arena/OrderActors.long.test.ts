import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { INSTRUMENTS } from "../../../engine/arena/Instrument.ts"
import { MAX_COMMITMENTS_PER_OWNER } from "../../../engine/arena/Submission.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { ArenaStreamClient, type StreamItem } from "../../../packages/client/src/ArenaStreamClient.ts"
import { Arena, type CommitmentRequest, MAX_REQUESTS } from "../../../src/arena/Arena.ts"
import { itLive } from "../../lib/Effects.ts"
import { checkLedgerToNow } from "../../lib/LedgerCheck.ts"
import { type ArenaOrderJson, openedOn, SHORT_SLOTS, usd } from "../../lib/OpenedArena.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"
import { TestServer } from "../../lib/TestServer.ts"

const OWNERS = 5
const COUNT = OWNERS * MAX_COMMITMENTS_PER_OWNER

/** Commits for each of some users as often as one may. */
const commitAll = Effect.fnUntraced(function* (
  server: TestServer,
  users: ReadonlyArray<string>,
  order: ArenaOrderJson
) {
  const price = fromUnits(BigInt(Math.round(order.entry_price * 1e6)))
  const arena = server.service(Arena)
  for (const [user, userId] of users.entries()) {
    for (let from = 0; from < MAX_COMMITMENTS_PER_OWNER; from += MAX_REQUESTS) {
      const requests = Array.from({ length: MAX_REQUESTS }, (_, index): CommitmentRequest => ({
        orderId: order.order_id,
        proposedPrice: price,
        exitPrice: fromUnits((price * 105n) / 100n),
        quantity: fromUnits((1_000n * ONE * ONE) / price + BigInt(user * MAX_COMMITMENTS_PER_OWNER + from + index)),
        slippage: ZERO,
        swapExecutor: "",
        botId: undefined,
        userId,
        isService: false,
        idempotency: undefined
      }))
      const outcomes = yield* server.run(arena.commitMany(requests))
      expect(outcomes.filter(Result.isFailure)).toEqual([])
    }
  }
})

/** How many commitments to an order have which status, and how many of them earned something. */
const outcomes = (server: TestServer, { order_id: orderId }: ArenaOrderJson) =>
  Effect.orDie(
    server.service(SqlClient)`
      SELECT status, reason, count(*)::int AS count, (count(*) FILTER (WHERE yield_earned > 0))::int AS earning
      FROM arena_commitments WHERE order_id = ${orderId} GROUP BY status, reason ORDER BY status`
  )

/** A client of the stream that counts what it is told. */
const listening = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const events = new Map<number, StreamItem & { readonly kind: "event" }>()
      const others: Array<StreamItem> = []
      const client = new ArenaStreamClient({
        url,
        snapshot: false,
        onItem: (item) => {
          if (item.kind === "event") events.set(item.position.seq, item)
          else if (item.kind !== "price") others.push(item)
        }
      })
      client.start()
      return { client, events, others }
    }),
    ({ client }) => Effect.sync(() => client.close())
  )

describe("An order with thousands of commitments", () => {
  itLive(
    "is chosen, settled and told, and another one is void: all collateral comes back",
    () =>
      Effect.gen(function* () {
        const database = yield* Effect.orDie(testDatabase)
        const server = yield* TestServer.makeOn(database, SHORT_SLOTS)
        const { order, trader } = yield* openedOn(server)
        const { json } = yield* server.get<{ readonly orders: ReadonlyArray<ArenaOrderJson> }>(
          "/api/arena/orders",
          trader.id
        )
        const unpriced = json.orders.find(({ asset_type: type }) => type === "gpu")
        if (unpriced === undefined) return yield* Effect.die("there is no order on a GPU")
        const { client, events, others } = yield* listening(server.url)
        yield* eventually("a subscription", 10_000, () => client.position)
        const users = yield* Effect.forEach(Array.from({ length: OWNERS }), () =>
          Effect.map(server.user(), ({ id }) => id)
        )
        for (const id of users) yield* server.mint(id, usd(1_000_000n))
        yield* commitAll(server, users, order)
        yield* commitAll(server, users, unpriced)
        yield* server.tick(80_000)
        for (const { asset, assetType } of INSTRUMENTS) if (assetType === "gpu") server.world.prices.delete(asset)
        for (const millis of [5_000, 5_000, 60_000, 1_000]) yield* server.tick(millis)
        expect((yield* Effect.orDie(checkLedgerToNow(database.config))).violations).toEqual([])
        expect(yield* outcomes(server, order)).toEqual([
          { status: "lost", reason: "outbid", count: COUNT - 1, earning: COUNT - 1 },
          { status: "settled", reason: null, count: 1, earning: 1 }
        ])
        expect(yield* outcomes(server, unpriced)).toEqual([
          { status: "lost", reason: "void", count: COUNT, earning: COUNT }
        ])
        const told = [...events.values()].filter(({ frames }) => frames.length >= COUNT)
        expect([told.length, others, client.breaches]).toEqual([2, [], 0])
      }),
    180_000
  )
})
